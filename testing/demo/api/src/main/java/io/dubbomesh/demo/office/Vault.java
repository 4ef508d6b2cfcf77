package io.dubbomesh.demo.office;

/** A service whose provider requires a token. */
public interface Vault {
    String open(String name);
}
