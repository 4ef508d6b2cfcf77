// The least a provider agent can do: frames in, Dubbo 2 requests with Hessian 2 or fastjson arguments out, their answers back.
#include "net.h"

enum {
    // The Dubbo header, 16 bytes: magic 0xdabb, flags, status, 64 bits of request id, length of the body.
    FLAGS = 2,
    STATUS = 3,
    // The id's high half is the number of the agent's connection, the low half the number in the frame.
    AGENT = 4,
    NUMBER = 8,
    BODY_LENGTH = 12,
    HEADER = 16,

    REQUEST = 0x80,
    TWO_WAY = 0x40,
    EVENT = 0x20,
    SERIALIZATION = 0x1f,
    FASTJSON = 6,
    STATUS_OK = 20,

    VALUE = 0x91,
    VALUE_WITH_ATTACHMENTS = 0x94,

    LONGEST_DECIMAL = 11,
};

#define SERVICE "com.alibaba.dubbo.performance.demo.provider.IHelloService"

// A Dubbo request up to its argument: header, Dubbo version, path, service version, method, descriptor.
static const char HESSIAN_CALL[] =
    "\xda\xbb\xc2\0" "\0\0\0\0\0\0\0\0" "\0\0\0\0"
    "\x05" "2.0.2"
    "\x30\x39" SERVICE
    "\x05" "0.0.0"
    "\x04" "hash"
    "\x12" "Ljava/lang/String;";
static const char NO_ATTACHMENTS[] = "HZ";

// The same, one JSON value a line. A text that needs no percent-encoding needs no escape either.
static const char FASTJSON_CALL[] =
    "\xda\xbb\xc6\0" "\0\0\0\0\0\0\0\0" "\0\0\0\0"
    "\"2.0.1\"\n"
    "\"" SERVICE "\"\n"
    "null\n"
    "\"hash\"\n"
    "\"Ljava/lang/String;\"\n"
    "\"";
static const char PATH_ATTACHMENT[] = "\"\n{\"path\":\"" SERVICE "\"}\n";

// Event, Hessian 2, status OK; the body is null.
static const char HEARTBEAT_ANSWER[] = "\xda\xbb\x22\x14" "\0\0\0\0\0\0\0\0" "\0\0\0\x01" "N";

static Connection *provider;
static bool fastjson;

// Reserves space for a request of that length, which starts with the given head.
static char *begin(const char *head, size_t head_length, size_t whole, uint32_t agent, const char *frame) {
    char *request = append(provider, whole);
    char *end_of_head = copy(request, head, head_length);
    write_u32(request + AGENT, agent);
    memcpy(request + NUMBER, frame + FRAME_NUMBER, sizeof(uint32_t));
    write_u32(request + BODY_LENGTH, (uint32_t)(whole - HEADER));
    return end_of_head;
}

static void call_by_hessian(uint32_t agent, const char *frame, size_t length) {
    size_t tag_length = length < 32 ? 1 : length < 1024 ? 2 : 3;
    size_t whole = sizeof HESSIAN_CALL - 1 + tag_length + length + sizeof NO_ATTACHMENTS - 1;
    char *at = begin(HESSIAN_CALL, sizeof HESSIAN_CALL - 1, whole, agent, frame);
    // The length of a Hessian string: 5 bits, 10 bits after 0x30 or 16 bits after 'S'.
    if (tag_length == 3) {
        *at++ = 'S';
    }
    if (tag_length > 1) {
        *at++ = (char)((tag_length == 2 ? 0x30 : 0) | length >> 8);
    }
    *at++ = (char)length;
    at = copy(at, frame + FRAME_BODY, length);
    copy(at, NO_ATTACHMENTS, sizeof NO_ATTACHMENTS - 1);
}

static void call_by_fastjson(uint32_t agent, const char *frame, size_t length) {
    size_t whole = sizeof FASTJSON_CALL - 1 + length + sizeof PATH_ATTACHMENT - 1;
    char *at = begin(FASTJSON_CALL, sizeof FASTJSON_CALL - 1, whole, agent, frame);
    at = copy(at, frame + FRAME_BODY, length);
    copy(at, PATH_ATTACHMENT, sizeof PATH_ATTACHMENT - 1);
}

static size_t decode_frames(Connection *agent, const char *bytes, size_t length) {
    size_t taken = 0;
    while (length - taken >= FRAME_BODY) {
        size_t body_length = read_u32(bytes + taken);
        if (length - taken - FRAME_BODY < body_length) {
            break;
        }
        if (fastjson) {
            call_by_fastjson(agent->number, bytes + taken, body_length);
        } else {
            call_by_hessian(agent->number, bytes + taken, body_length);
        }
        taken += FRAME_BODY + body_length;
    }
    return taken;
}

// Reads a Hessian int of one to five bytes; false if there is none.
static bool read_int(const unsigned char *at, size_t length, int32_t *value) {
    int tag = length > 0 ? at[0] : 0;
    if (tag >= 0x80 && tag <= 0xbf) {
        *value = tag - 0x90;
    } else if (tag >= 0xc0 && tag <= 0xcf && length >= 2) {
        *value = (tag - 0xc8) * 0x100 + at[1];
    } else if (tag >= 0xd0 && tag <= 0xd7 && length >= 3) {
        *value = (tag - 0xd4) * 0x10000 + at[1] * 0x100 + at[2];
    } else if (tag == 'I' && length >= 5) {
        *value = (int32_t)read_u32((const char *)at + 1);
    } else {
        return false;
    }
    return true;
}

// Writes the decimal so that it ends at the given end, and returns its start.
static char *write_decimal(char *end, int32_t value) {
    uint32_t rest = value < 0 ? 0 - (uint32_t)value : (uint32_t)value;
    do {
        *--end = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0) {
        *--end = '-';
    }
    return end;
}

// Both set the text of the int that is the answer, and return its length; 0 if there is none.
static size_t read_hessian(const unsigned char *body, size_t length, char *end, const char **text) {
    int32_t value;
    if (length == 0 || (body[0] != VALUE && body[0] != VALUE_WITH_ATTACHMENTS) || !read_int(body + 1, length - 1, &value)) {
        return 0;
    }
    char *decimal = write_decimal(end, value);
    *text = decimal;
    return (size_t)(end - decimal);
}

static size_t read_fastjson(const char *body, size_t length, const char **text) {
    if (length < sizeof "1\n\n" || memcmp(body, "1\n", 2) != 0 || body[length - 1] != '\n') {
        return 0;
    }
    *text = body + 2;
    return length - 3;
}

static void answer(const char *response, size_t body_length) {
    Connection *agent = accepted(read_u32(response + AGENT));
    if (agent == NULL) {
        return;
    }
    char decimal[LONGEST_DECIMAL];
    const char *text = decimal;
    size_t length = 0;
    if (response[STATUS] == STATUS_OK) {
        const char *body = response + HEADER;
        if ((response[FLAGS] & SERIALIZATION) == FASTJSON) {
            length = read_fastjson(body, body_length, &text);
        } else {
            length = read_hessian((const unsigned char *)body, body_length, decimal + sizeof decimal, &text);
        }
    }
    char *frame = append(agent, FRAME_BODY + length);
    write_u32(frame, (uint32_t)length);
    memcpy(frame + FRAME_NUMBER, response + NUMBER, sizeof(uint32_t));
    memcpy(frame + FRAME_BODY, text, length);
}

static void answer_heartbeat(const char *heartbeat) {
    char *frame = append(provider, sizeof HEARTBEAT_ANSWER - 1);
    memcpy(frame, HEARTBEAT_ANSWER, sizeof HEARTBEAT_ANSWER - 1);
    memcpy(frame + AGENT, heartbeat + AGENT, sizeof(uint64_t));
}

static size_t decode_responses(Connection *from, const char *bytes, size_t length) {
    size_t taken = 0;
    while (length - taken >= HEADER) {
        const char *frame = bytes + taken;
        if (memcmp(frame, HESSIAN_CALL, FLAGS) != 0) {
            die("%s does not speak Dubbo", from->peer);
        }
        size_t body_length = read_u32(frame + BODY_LENGTH);
        if (length - taken - HEADER < body_length) {
            break;
        }
        int flags = frame[FLAGS];
        if ((flags & (REQUEST | EVENT)) == 0) {
            answer(frame, body_length);
        } else if ((flags & REQUEST) && (flags & TWO_WAY) && (flags & EVENT)) {
            answer_heartbeat(frame);
        }
        taken += HEADER + body_length;
    }
    return taken;
}

int main(int argc, char **argv) {
    fastjson = argc == 4 && strcmp(argv[3], "fastjson") == 0;
    if ((argc != 3 && !fastjson) || !is_address(argv[1]) || !is_address(argv[2])) {
        die("usage: baseline-provider ADDRESS DUBBO_ADDRESS [fastjson] (addresses: PORT or HOST:PORT)");
    }
    start_loop();
    provider = connect_to(argv[2], decode_responses);
    listen_on(argv[1], decode_frames);
    run_loop();
}
