package io.dubbomesh.provider;

import io.dubbomesh.testsupport.MeshFrame;

/** Calls of {@code int hash(String)}, which most tests use. */
final class HashCalls {
    static final String HASHER = "com.example.Hasher";
    static final String STRING = "Ljava/lang/String;";

    private static final int METHOD_ID = 1;

    private HashCalls() {}

    static String defineHash() {
        return MeshFrame.define(METHOD_ID, MeshFrame.names(HASHER, "hash", STRING, "", ""));
    }

    /** Calls {@code hash} with five seconds left. */
    static String hash(long requestId, String argument) {
        return hash(requestId, argument, 5000);
    }

    static String hash(long requestId, String argument, int timeLeftMs) {
        return MeshFrame.request(requestId, METHOD_ID, MeshFrame.FORM, MeshFrame.formBody(timeLeftMs, argument));
    }
}
