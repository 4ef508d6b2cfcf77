package io.dubbomesh.protocol.mesh;

/** The header's Flags. The first two exclude each other. */
public final class Flags {
    /** REQUEST: each argument is text with a 32-bit length (form interface). RESPONSE: the document is plain text. */
    public static final int TEXT = 0x01;
    /** REQUEST: the arguments are one JSON array. RESPONSE: the document is JSON. */
    public static final int JSON = 0x02;
    /** REQUEST only: a one-way call, no RESPONSE is expected. */
    public static final int ONE_WAY = 0x04;
    /** REQUEST only: objects in the result have the names of their classes. */
    public static final int CLASS_NAMES = 0x08;
    /**
     * REQUEST only: the RESPONSE is to say how long the call was where, see {@link CallTiming}. Only to a peer that
     * {@link Hello#TELLS_TIMING}.
     */
    public static final int TIMED = 0x10;
    /**
     * REQUEST with JSON only: the array holds the one object that the client sent in its place. Of a method with
     * several parameters it has the arguments by name. Only to a peer that {@link Hello#TAKES_NAMES}.
     */
    public static final int OBJECT = 0x20;
    /**
     * REQUEST only: the client takes the messages of a stream as they come. Only to a peer that {@link
     * Hello#TAKES_STREAMS}.
     */
    public static final int STREAM = 0x40;
    /**
     * RESPONSE only, to a REQUEST with STREAM: a message of a stream, or without a document the beginning of one;
     * another RESPONSE follows. Only to a peer that {@link Hello#TAKES_STREAMS}.
     */
    public static final int MORE = 0x40;

    private Flags() {}

    /** Returns the flags that a frame of this type may have; any other is a protocol error. */
    public static int allowed(int frameType) {
        return switch (frameType) {
            case FrameType.REQUEST -> TEXT | JSON | ONE_WAY | CLASS_NAMES | TIMED | OBJECT | STREAM;
            case FrameType.RESPONSE -> TEXT | JSON | MORE;
            default -> 0;
        };
    }
}
