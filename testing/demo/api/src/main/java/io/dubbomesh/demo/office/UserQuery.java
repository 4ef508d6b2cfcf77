package io.dubbomesh.demo.office;

import java.io.Serializable;

/** A search for users. */
@SuppressWarnings("serial")
public final class UserQuery implements Serializable {
    private String name;
    private Integer minAge;

    public UserQuery() {}

    public UserQuery(String name, Integer minAge) {
        this.name = name;
        this.minAge = minAge;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public Integer getMinAge() {
        return minAge;
    }

    public void setMinAge(Integer minAge) {
        this.minAge = minAge;
    }
}
