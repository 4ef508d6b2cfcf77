package io.dubbomesh.demo.conformance;

import java.io.Serializable;

/** Has a subclass with further fields. */
@SuppressWarnings("serial")
public class Person implements Serializable {
    private String name;
    private Integer age;

    public Person() {}

    public Person(String name, Integer age) {
        this.name = name;
        this.age = age;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public Integer getAge() {
        return age;
    }

    public void setAge(Integer age) {
        this.age = age;
    }

    @Override
    public String toString() {
        return name + " " + age;
    }
}
