// The least a consumer agent can do: form requests in, frames out to the provider agents in turn, their answers back. A turn passes over
// an agent that has reached its limit of calls in flight, if there is a limit.
#define _GNU_SOURCE
#include "net.h"

#include <stdlib.h>
#include <strings.h>

#define LITERAL(text) (text), sizeof(text) - 1

static const char OK[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ";
static const char BAD_REQUEST[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
static const char BAD_GATEWAY[] = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n";

// The most that one Hessian string can hold without chunks.
enum { LONGEST_PARAMETER = 65535, LONGEST_ANSWER = 99 };

// An agent that is named more than once is here as often, with the same connection.
static Connection **provider_agents;
static int provider_agent_count;
static int next_provider_agent;
static uint32_t limit = UINT32_MAX;

static void put(Connection *to, const char *text, size_t length) {
    copy(append(to, length), text, length);
}

// If all have reached their limit, the one whose turn it is.
static Connection *choose(void) {
    Connection *chosen;
    int passed_over = 0;
    do {
        chosen = provider_agents[next_provider_agent];
        if (++next_provider_agent == provider_agent_count) {
            next_provider_agent = 0;
        }
    } while (chosen->in_flight >= limit && passed_over++ < provider_agent_count);
    chosen->in_flight++;
    return chosen;
}

static void call(Connection *caller, const char *body, size_t length) {
    const char *name = memmem(body, length, LITERAL("&parameter="));
    if (name == NULL) {
        put(caller, LITERAL(BAD_REQUEST));
        return;
    }
    const char *parameter = name + sizeof "&parameter=" - 1;
    size_t parameter_length = (size_t)(body + length - parameter);
    if (parameter_length > LONGEST_PARAMETER) {
        die("a parameter of %zu bytes (expected: at most %d)", parameter_length, LONGEST_PARAMETER);
    }
    Connection *agent = choose();
    char *frame = append(agent, FRAME_BODY + parameter_length);
    write_u32(frame, (uint32_t)parameter_length);
    write_u32(frame + FRAME_NUMBER, caller->number);
    memcpy(frame + FRAME_BODY, parameter, parameter_length);
}

// Returns the length of the head, or 0 if it is not complete.
static size_t read_head(const char *bytes, size_t length, size_t *body_length) {
    const char *line = bytes;
    const char *end = bytes + length;
    const char *newline;
    *body_length = 0;
    while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        size_t line_length = (size_t)(newline - line);
        if (line_length <= 1) {
            return (size_t)(newline + 1 - bytes);
        }
        if (line_length > sizeof "Content-Length:" && strncasecmp(line, LITERAL("Content-Length:")) == 0) {
            *body_length = strtoul(line + sizeof "Content-Length:" - 1, NULL, 10);
        }
        line = newline + 1;
    }
    return 0;
}

static size_t decode_requests(Connection *caller, const char *bytes, size_t length) {
    size_t taken = 0;
    while (taken < length) {
        size_t body_length;
        size_t head_length = read_head(bytes + taken, length - taken, &body_length);
        if (head_length == 0 || length - taken - head_length < body_length) {
            break;
        }
        call(caller, bytes + taken + head_length, body_length);
        taken += head_length + body_length;
    }
    return taken;
}

static void answer(Connection *caller, const char *body, size_t length) {
    if (length == 0) {
        put(caller, LITERAL(BAD_GATEWAY));
        return;
    }
    size_t digits = length < 10 ? 1 : 2;
    char *at = append(caller, sizeof OK - 1 + digits + 4 + length);
    at = copy(at, LITERAL(OK));
    if (digits == 2) {
        *at++ = (char)('0' + length / 10);
    }
    *at++ = (char)('0' + length % 10);
    at = copy(at, LITERAL("\r\n\r\n"));
    copy(at, body, length);
}

static size_t decode_answers(Connection *agent, const char *bytes, size_t length) {
    size_t taken = 0;
    while (length - taken >= FRAME_BODY) {
        const char *frame = bytes + taken;
        size_t body_length = read_u32(frame);
        if (body_length > LONGEST_ANSWER) {
            die("%s announces an answer of %zu bytes (expected: at most %d)", agent->peer, body_length, LONGEST_ANSWER);
        }
        if (length - taken - FRAME_BODY < body_length) {
            break;
        }
        agent->in_flight--;
        Connection *caller = accepted(read_u32(frame + FRAME_NUMBER));
        if (caller != NULL) {
            answer(caller, frame + FRAME_BODY, body_length);
        }
        taken += FRAME_BODY + body_length;
    }
    return taken;
}

static Connection *provider_agent(char **addresses, int number) {
    for (int i = 0; i < number; i++) {
        if (strcmp(addresses[i], addresses[number]) == 0) {
            return provider_agents[i];
        }
    }
    return connect_to(addresses[number], decode_answers);
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "-l") == 0) {
        limit = (uint32_t)strtoul(argv[2], NULL, 10);
        argc -= 2;
        argv += 2;
    }
    bool usable = argc >= 3 && limit > 0;
    for (int i = 1; i < argc; i++) {
        usable = usable && is_address(argv[i]);
    }
    if (!usable) {
        die("usage: baseline-consumer [-l LIMIT] ADDRESS PROVIDER_AGENT_ADDRESS... (addresses: PORT or HOST:PORT)");
    }
    start_loop();
    provider_agent_count = argc - 2;
    provider_agents = calloc((size_t)provider_agent_count, sizeof *provider_agents);
    for (int i = 0; i < provider_agent_count; i++) {
        provider_agents[i] = provider_agent(argv + 2, i);
    }
    listen_on(argv[1], decode_requests);
    run_loop();
}
