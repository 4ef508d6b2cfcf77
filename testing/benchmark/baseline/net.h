// Shared by the two programs of the baseline: one epoll loop, its connections and their buffers.
#ifndef BASELINE_NET_H
#define BASELINE_NET_H

#include <arpa/inet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The frame between the two, big-endian: 32 bits length of the body, 32 bits number of the HTTP connection, the body. The
// body is the parameter in one direction and the answer's text in the other; an answer without a body means that the call failed.
enum { FRAME_NUMBER = 4, FRAME_BODY = 8 };

typedef struct {
    char *bytes;
    size_t length;
    size_t capacity;
} Buffer;

typedef struct Connection Connection;

// Reads the complete messages at the start of the bytes and returns their length. The rest is passed again, with more bytes.
typedef size_t (*Decoder)(Connection *from, const char *bytes, size_t length);

struct Connection {
    int fd;
    uint32_t number;  // of an accepted connection, never used twice
    const char *peer; // address of a connected one; NULL if accepted
    uint32_t in_flight;
    bool touched;
    bool waits_for_room;
    Decoder decode;
    Buffer rest;
    Buffer out;
};

// Ends the program with a message of one line.
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Whether the text is an address as below.
bool is_address(const char *text);

// An address is PORT, on the loopback address, or HOST:PORT. Both end the program when they fail. Call start_loop first.
void start_loop(void);
Connection *connect_to(const char *address, Decoder decode);
void listen_on(const char *address, Decoder decode);

_Noreturn void run_loop(void);

// The accepted connection with that number, or NULL if it is closed.
Connection *accepted(uint32_t number);

void grow(Buffer *buffer, size_t more);

// Written at the end of the loop's turn.
void touch(Connection *connection);

// Returns the place for the next bytes. The caller fills all of them.
static inline char *append(Connection *connection, size_t length) {
    Buffer *out = &connection->out;
    if (out->capacity - out->length < length) {
        grow(out, length);
    }
    if (!connection->touched) {
        touch(connection);
    }
    char *at = out->bytes + out->length;
    out->length += length;
    return at;
}

static inline char *copy(char *to, const void *from, size_t length) {
    memcpy(to, from, length);
    return to + length;
}

static inline uint32_t read_u32(const char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return ntohl(value);
}

static inline void write_u32(char *at, uint32_t value) {
    value = htonl(value);
    memcpy(at, &value, sizeof value);
}

#endif
