package io.dubbomesh.demo.office;

/** The office's accounts. */
public final class DemoSignUp implements SignUp {
    @Override
    public String register(Account account) {
        return "registered " + account.getName();
    }

    @Override
    public String rename(String name, String newName) {
        return name + " is now " + newName;
    }
}
