package io.dubbomesh.consumer.record;

import io.netty.buffer.ByteBuf;

import java.net.SocketAddress;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** A client and its request. Reused with its {@link CallRecord}. */
public final class RecordedRequest {
    private static final int MAX_TARGET = 128;

    private SocketAddress client;
    private long receivedNs;
    private int bodyBytes;
    private String httpMethod;
    private final byte[] target = new byte[MAX_TARGET];
    private int targetLength;
    private String caller;
    private String tool;

    /** @param bodyLength 0 for what is no request that could be parsed */
    public void received(SocketAddress from, int bodyLength, long nowNs) {
        client = from;
        bodyBytes = bodyLength;
        receivedNs = nowNs;
    }

    /** @param path with the query, all of it readable */
    public void parsed(String verb, ByteBuf path) {
        httpMethod = verb;
        targetLength = Math.min(path.readableBytes(), MAX_TARGET);
        path.getBytes(path.readerIndex(), target, 0, targetLength);
    }

    /** @param name of the authenticated caller, of at most some hundred characters; null if there is none */
    public void calledBy(String name) {
        caller = name;
    }

    /** @param name of the tool that the request calls, one of those that are published */
    public void forTool(String name) {
        tool = name;
    }

    void clear() {
        client = null;
        httpMethod = null;
        targetLength = 0;
        caller = null;
        tool = null;
    }

    public SocketAddress client() {
        return client;
    }

    /** Returns when the last byte of the request was read. */
    public long receivedNs() {
        return receivedNs;
    }

    public int bodyBytes() {
        return bodyBytes;
    }

    /** Returns the method of HTTP; null for what is no request that could be parsed. */
    public String httpMethod() {
        return httpMethod;
    }

    /**
     * Returns the beginning of path and query, empty for what is no request that could be parsed. Allocates.
     */
    public String target() {
        return new String(target, 0, targetLength, US_ASCII);
    }

    /** Returns the name of the authenticated caller, or null. */
    public String caller() {
        return caller;
    }

    /** Returns the name of the tool that is called; null if none is. */
    public String tool() {
        return tool;
    }
}
