package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboStatus;
import io.netty.buffer.ByteBuf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Tells whether an answer says that the provider does not have this method, and so has executed nothing. A method may
 * fail with what another provider has answered to it, so only the texts count that Dubbo itself uses, and only where
 * they name this method: a wrong guess executes it twice.
 *
 * @param service as it stands in the path of requests
 * @param method  likewise
 */
record UnknownMethod(String service, String method) {
    /** The text stands behind its length. */
    private static final int MAX_BEFORE_TEXT = 16;

    private static final int MAX_READ = 4 * 1024;

    /** @param offset of a Dubbo response that {@link TripleAnswer} has made */
    boolean isMeant(ByteBuf in, int offset) {
        if (DubboHeader.status(in, offset) != DubboStatus.BAD_REQUEST) {
            return false;
        }
        int length = Math.min(DubboHeader.bodyLength(in, offset), MAX_READ);
        String body = in.toString(offset + DubboHeader.LENGTH, length, ISO_8859_1);
        int begin = body.indexOf(DubboStatus.NO_SUCH_METHOD);
        return begin >= 0
                && begin <= MAX_BEFORE_TEXT
                && isOfDubbo(body.substring(begin + DubboStatus.NO_SUCH_METHOD.length()));
    }

    private boolean isOfDubbo(String text) {
        String ofService = " not found of service:" + service;
        // The texts of 3.0 to 3.2, of which the second has the types of the arguments, and those of 3.3.
        return isAt(text, 0, "Method : " + method + ofService)
                || text.startsWith("Method :" + method + "[[") && isAt(text, text.indexOf("]] not"), "]]" + ofService)
                || isAt(text, 0, TripleFailure.NO_OVERLOAD + method)
                || text.startsWith(TripleFailure.NO_METHODS);
    }

    /** Returns whether this stands there, and not a longer name. */
    private static boolean isAt(String text, int offset, String wanted) {
        if (offset < 0 || !text.startsWith(wanted, offset)) {
            return false;
        }
        int end = offset + wanted.length();
        return end == text.length() || !isOfName(text.charAt(end));
    }

    private static boolean isOfName(char c) {
        return Character.isJavaIdentifierPart(c) && !Character.isIdentifierIgnorable(c) || ".%/".indexOf(c) >= 0;
    }
}
