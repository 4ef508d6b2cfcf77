package io.dubbomesh.demo.conformance;

import java.util.List;

/** Has the fields of its superclass too. */
@SuppressWarnings("serial")
public final class Employee extends Person {
    private String company;
    private List<String> skills;

    public Employee() {}

    public Employee(String name, Integer age, String company, List<String> skills) {
        super(name, age);
        this.company = company;
        this.skills = skills;
    }

    public String getCompany() {
        return company;
    }

    public void setCompany(String company) {
        this.company = company;
    }

    public List<String> getSkills() {
        return skills;
    }

    public void setSkills(List<String> skills) {
        this.skills = skills;
    }

    @Override
    public String toString() {
        return super.toString() + " " + company + " " + skills;
    }
}
