package io.dubbomesh.protocol.mesh;

/** The header's Flags: the first two exclude each other and are all that a RESPONSE may bear. */
public final class Flags {
    /** REQUEST: each argument is text with a 32-bit length (form interface). RESPONSE: the document is plain text. */
    public static final int TEXT = 0x01;
    /** REQUEST: the arguments are one JSON array. RESPONSE: the document is JSON. */
    public static final int JSON = 0x02;
    /** REQUEST only: nobody waits for an answer. */
    public static final int ONE_WAY = 0x04;
    /** REQUEST only: objects of the result bear the names of their classes. */
    public static final int CLASS_NAMES = 0x08;

    private Flags() {}

    /** The flags that a frame of this type may bear; any other is a protocol error. */
    public static int allowed(int frameType) {
        return switch (frameType) {
            case FrameType.REQUEST -> TEXT | JSON | ONE_WAY | CLASS_NAMES;
            case FrameType.RESPONSE -> TEXT | JSON;
            default -> 0;
        };
    }
}
