package io.dubbomesh.demo.office;

/** A thing of a generic repository: the type of its {@code id} stands in its superclass as a type variable. */
@SuppressWarnings("serial")
public final class User extends Entity<Long> {
    private String name;
    private int age;

    public User() {}

    public User(long id, String name, int age) {
        setId(id);
        this.name = name;
        this.age = age;
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
}
