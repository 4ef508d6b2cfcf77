package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;

/** The places of the five names of a form in its body. */
public final class FormNames extends SpelledNames {
    static final int COUNT = 5;

    private static final String[] NAMES = {
        "form: interface", "form: method", "form: parameterTypesString", "form: version", "form: group"
    };

    FormNames() {
        super(COUNT);
    }

    /** None is there yet: lengths are -1 for fields that are absent, until {@link #check}. */
    void clear(ByteBuf body, int offset) {
        in = body;
        for (int i = 0; i < COUNT; i++) {
            offsets[i] = offset;
            lengths[i] = -1;
        }
    }

    void set(int field, int value, int valueEnd) throws CallException {
        if (lengths[field] >= 0) {
            throw bad(NAMES[field] + " is given twice");
        }
        offsets[field] = value;
        lengths[field] = valueEnd - value;
    }

    /** @throws CallException BAD_REQUEST if one that must be there is not */
    void check() throws CallException {
        for (int i = INTERFACE; i <= DESCRIPTOR; i++) {
            if (lengths[i] < 0) {
                throw bad(NAMES[i] + " is missing");
            }
        }
        for (int i = INTERFACE; i <= METHOD; i++) {
            if (lengths[i] == 0) {
                throw bad(NAMES[i] + " is empty");
            }
        }
        for (int i = VERSION; i <= GROUP; i++) {
            lengths[i] = Math.max(lengths[i], 0);
        }
    }

    @Override
    MethodName decode() throws CallException {
        return new MethodName(name(INTERFACE), name(METHOD), name(DESCRIPTOR), name(VERSION), name(GROUP));
    }

    private String name(int field) throws CallException {
        return decoded(in, offsets[field], lengths[field], '+', NAMES[field]);
    }
}
