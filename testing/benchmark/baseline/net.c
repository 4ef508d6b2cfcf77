#define _GNU_SOURCE
#include "net.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BACKLOG = 4096,
    EVENTS = 1024,
    INPUT_CAPACITY = 256 * 1024,
    SMALLEST_BUFFER = 256,
};

// A growing list of connections.
typedef struct {
    Connection **at;
    uint32_t count;
    uint32_t capacity;
} List;

static int epoll;
static int listener;
static Decoder decode_accepted;
static List accepted_ones;
static List touched_ones;

// One for all connections: a connection itself keeps only an incomplete message.
static char input[INPUT_CAPACITY];

void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

static const char *port_of(const char *address) {
    const char *colon = strrchr(address, ':');
    return colon == NULL ? address : colon + 1;
}

bool is_address(const char *text) {
    char *end;
    long port = strtol(port_of(text), &end, 10);
    return text[0] != ':' && *end == '\0' && port > 0 && port <= UINT16_MAX;
}

static void *resize(void *memory, size_t size) {
    memory = realloc(memory, size);
    if (memory == NULL) {
        die("out of memory");
    }
    return memory;
}

void grow(Buffer *buffer, size_t more) {
    size_t capacity = buffer->capacity == 0 ? SMALLEST_BUFFER : buffer->capacity;
    while (capacity < buffer->length + more) {
        capacity *= 2;
    }
    buffer->bytes = resize(buffer->bytes, capacity);
    buffer->capacity = capacity;
}

static void add(List *list, Connection *connection) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? EVENTS : 2 * list->capacity;
        list->at = resize(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = connection;
}

void touch(Connection *connection) {
    connection->touched = true;
    add(&touched_ones, connection);
}

Connection *accepted(uint32_t number) {
    return number < accepted_ones.count ? accepted_ones.at[number] : NULL;
}

void start_loop(void) {
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    epoll = epoll_create1(0);
    if (epoll < 0) {
        die("epoll: %s", strerror(errno));
    }
}

static void watch(int operation, int fd, uint32_t events, Connection *connection) {
    struct epoll_event event = {.events = events, .data.ptr = connection};
    if (epoll_ctl(epoll, operation, fd, &event) < 0) {
        die("epoll: %s", strerror(errno));
    }
}

static Connection *add_connection(int fd, Decoder decode) {
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Connection *connection = resize(NULL, sizeof *connection);
    *connection = (Connection){.fd = fd, .decode = decode};
    watch(EPOLL_CTL_ADD, fd, EPOLLIN, connection);
    return connection;
}

static struct sockaddr_in resolve(const char *address) {
    const char *port = port_of(address);
    struct sockaddr_in resolved = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)atoi(port)),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    if (port != address) {
        char host[256];
        snprintf(host, sizeof host, "%.*s", (int)(port - address - 1), address);
        struct addrinfo *found;
        int error = getaddrinfo(host, NULL, &(struct addrinfo){.ai_family = AF_INET}, &found);
        if (error != 0) {
            die("%s: %s", address, gai_strerror(error));
        }
        resolved.sin_addr = ((struct sockaddr_in *)found->ai_addr)->sin_addr;
        freeaddrinfo(found);
    }
    return resolved;
}

Connection *connect_to(const char *address, Decoder decode) {
    struct sockaddr_in resolved = resolve(address);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&resolved, sizeof resolved) < 0) {
        die("cannot connect to %s: %s", address, strerror(errno));
    }
    Connection *connection = add_connection(fd, decode);
    connection->peer = address;
    return connection;
}

void listen_on(const char *address, Decoder decode) {
    struct sockaddr_in resolved = resolve(address);
    int on = 1;
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        bind(listener, (struct sockaddr *)&resolved, sizeof resolved) < 0 || listen(listener, BACKLOG) < 0) {
        die("cannot listen on %s: %s", address, strerror(errno));
    }
    decode_accepted = decode;
    watch(EPOLL_CTL_ADD, listener, EPOLLIN, NULL);
    printf("listening on %s\n", address);
    fflush(stdout);
}

static void accept_all(void) {
    int fd;
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        Connection *connection = add_connection(fd, decode_accepted);
        connection->number = accepted_ones.count;
        add(&accepted_ones, connection);
    }
    if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR) {
        die("cannot accept connection %u: %s", accepted_ones.count + 1, strerror(errno));
    }
}

// Its memory is freed at the end of the turn, since it may be in the list of connections to write.
static void close_accepted(Connection *connection) {
    close(connection->fd);
    connection->fd = -1;
    accepted_ones.at[connection->number] = NULL;
    if (!connection->touched) {
        touch(connection);
    }
}

static void read_from(Connection *connection) {
    Buffer *rest = &connection->rest;
    size_t length = rest->length;
    if (length > 0) {
        memcpy(input, rest->bytes, length);
    }
    ssize_t count = recv(connection->fd, input + length, INPUT_CAPACITY - length, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (count <= 0) {
        if (connection->peer != NULL) {
            die("%s has closed the connection", connection->peer);
        }
        close_accepted(connection);
        return;
    }
    length += (size_t)count;
    size_t taken = connection->decode(connection, input, length);
    rest->length = 0;
    if (taken == length) {
        return;
    }
    if (taken == 0 && length == INPUT_CAPACITY) {
        die("a message does not fit into %d bytes", INPUT_CAPACITY);
    }
    length -= taken;
    if (rest->capacity < length) {
        grow(rest, length);
    }
    memcpy(rest->bytes, input + taken, length);
    rest->length = length;
}

// The next read finds that a peer closed the connection.
static void write_to(Connection *connection) {
    Buffer *out = &connection->out;
    if (out->length == 0) {
        return;
    }
    ssize_t count = send(connection->fd, out->bytes, out->length, MSG_DONTWAIT);
    if (count > 0) {
        out->length -= (size_t)count;
        if (out->length > 0) {
            memmove(out->bytes, out->bytes + count, out->length);
        }
    }
    bool wait_for_room = out->length > 0;
    if (connection->waits_for_room != wait_for_room) {
        connection->waits_for_room = wait_for_room;
        watch(EPOLL_CTL_MOD, connection->fd, wait_for_room ? EPOLLIN | EPOLLOUT : EPOLLIN, connection);
    }
}

static void write_to_touched(void) {
    for (uint32_t i = 0; i < touched_ones.count; i++) {
        Connection *connection = touched_ones.at[i];
        if (connection->fd >= 0) {
            connection->touched = false;
            write_to(connection);
        } else {
            free(connection->rest.bytes);
            free(connection->out.bytes);
            free(connection);
        }
    }
    touched_ones.count = 0;
}

void run_loop(void) {
    struct epoll_event events[EVENTS];
    for (;;) {
        int count = epoll_wait(epoll, events, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            Connection *connection = events[i].data.ptr;
            if (connection == NULL) {
                accept_all();
                continue;
            }
            if (events[i].events & EPOLLOUT) {
                write_to(connection);
            }
            if (events[i].events & ~(uint32_t)EPOLLOUT) {
                read_from(connection);
            }
        }
        write_to_touched();
    }
}
