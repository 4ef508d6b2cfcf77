package io.dubbomesh.demo.office;

import javax.validation.Valid;
import javax.validation.constraints.Min;
import javax.validation.constraints.NotNull;
import javax.validation.constraints.Size;
import java.io.Serializable;

/** Its fields have constraints, of which some are in a field of it. */
@SuppressWarnings("serial")
public final class Account implements Serializable {
    @NotNull
    @Size(min = 3, max = 12)
    private String name;

    @Min(18)
    private int age;

    @Valid
    private Contact contact;

    public Account() {}

    public Account(String name, int age, Contact contact) {
        this.name = name;
        this.age = age;
        this.contact = contact;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public int getAge() {
        return age;
    }

    public void setAge(int age) {
        this.age = age;
    }

    public Contact getContact() {
        return contact;
    }

    public void setContact(Contact contact) {
        this.contact = contact;
    }
}
