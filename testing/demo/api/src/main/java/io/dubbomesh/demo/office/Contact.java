package io.dubbomesh.demo.office;

import javax.validation.constraints.NotNull;
import javax.validation.constraints.Pattern;
import java.io.Serializable;

/** The address of the owner of an account. */
@SuppressWarnings("serial")
public final class Contact implements Serializable {
    @NotNull
    @Pattern(regexp = ".+@.+")
    private String email;

    public Contact() {}

    public Contact(String email) {
        this.email = email;
    }

    public String getEmail() {
        return email;
    }

    public void setEmail(String email) {
        this.email = email;
    }
}
