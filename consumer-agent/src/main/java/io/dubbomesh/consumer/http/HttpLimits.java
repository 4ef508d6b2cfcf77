package io.dubbomesh.consumer.http;

/**
 * The bounds of one request.
 *
 * @param maxRequestLine bytes of the request line without its CRLF
 * @param maxHead        bytes of all header lines with their CRLFs and of the empty line; trailers have as much again
 * @param maxHeaders     header lines; trailers have as many again
 * @param maxBody        bytes of the body
 */
public record HttpLimits(int maxRequestLine, int maxHead, int maxHeaders, int maxBody) {
    /** The capacity of a buffer that is kept from request to request; slow clients may have thousands of parsers. */
    public static final int MAX_KEPT_CAPACITY = 1024;

    public static final HttpLimits DEFAULTS = new HttpLimits(4 << 10, 8 << 10, 64, 1 << 20);
}
