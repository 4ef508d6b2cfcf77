package io.dubbomesh.client.connection;

/** The form in which the answer to a call comes, for protocols that do not say it in each answer. */
public enum AnswerForm {
    /** The call is one-way: its answer, if there is one, is not looked at. */
    NONE,
    /** A value in a serialization of Dubbo. */
    VALUE,
    /** A message of protobuf. */
    MESSAGE;

    /** Returns that of a call. */
    public static AnswerForm of(boolean isOneWay, boolean isMessage) {
        return isOneWay ? NONE : isMessage ? MESSAGE : VALUE;
    }
}
