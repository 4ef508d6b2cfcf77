package io.dubbomesh.consumer.call;

/** The source of a call's time-out. */
public enum TimeoutSource {
    REQUEST("X-Request-Timeout"),
    PROVIDER("the provider's timeout"),
    /** The provider's is longer. */
    BOUND("request.timeout.max, which bounds the provider's timeout"),
    SETTING("request.timeout");

    private final String text;

    TimeoutSource(String text) {
        this.text = text;
    }

    /** Returns the text for clients. */
    @Override
    public String toString() {
        return text;
    }
}
