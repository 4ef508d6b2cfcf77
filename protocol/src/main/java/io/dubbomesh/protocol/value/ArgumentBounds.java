package io.dubbomesh.protocol.value;

/**
 * Called before and behind each argument of a call, for a protocol in which each is a stream of its own: it {@linkplain
 * ValueWriter#reset resets} the writer. Not called behind an argument that is refused.
 */
public interface ArgumentBounds {
    /** For arguments that follow each other in one stream. */
    ArgumentBounds NONE = new ArgumentBounds() {
        @Override
        public void begin() {}

        @Override
        public void end() {}
    };

    void begin();

    void end();
}
