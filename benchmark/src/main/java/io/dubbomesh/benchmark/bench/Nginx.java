package io.dubbomesh.benchmark.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts nginx with one worker process and a configuration of its own. */
final class Nginx {
    static final String ANSWER = "ok";

    private static final int START_SECONDS = 10;
    private static final String STATUS_PATH = "/status";

    private static final String CONFIGURATION = """
            daemon off;
            worker_processes 1;
            worker_rlimit_nofile 20000;
            pid nginx.pid;
            error_log stderr warn;
            events { worker_connections 16384; }
            http {
                access_log off;
                client_body_temp_path body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                client_body_buffer_size 16k;
                keepalive_requests 1000000000;
                keepalive_timeout 600s;
            %s
            }
            """;

    private static final String ANSWERING = """
                server {
                    listen 127.0.0.1:%d reuseport backlog=4096;
                    default_type text/plain;
                    location / { return 200 "%s"; }
                }
            """;

    private static final String PROXY = """
                upstream called {
                    server 127.0.0.1:%d;
                    %s
                }
                server {
                    listen 127.0.0.1:%d reuseport backlog=4096;
                    location = %s { return 200 ""; }
                    location / {
                        proxy_pass http://called;
                        %s
                    }
                }
            """;

    private final Programs programs;

    /**
     * How a proxy treats the connections to whom it calls.
     *
     * @param upstream settings of the group of servers
     * @param location settings of the requests
     */
    record Connections(String upstream, String location) {}

    Nginx(Programs programs) {
        this.programs = programs;
    }

    /** @param connections how many may idle */
    static Connections keptAlive(int connections) {
        return new Connections(
                "keepalive " + connections + "; keepalive_requests 1000000000;",
                "proxy_http_version 1.1; proxy_set_header Connection \"\";");
    }

    /** nginx's own default: HTTP/1.0, a connection for each request. */
    static Connections closed() {
        return new Connections("", "");
    }

    /** Answers everything with {@link #ANSWER}. */
    Program startAnswering(String name, int port) throws IOException, InterruptedException, BenchException {
        return start(name, port, ANSWERING.formatted(port, ANSWER));
    }

    Program startProxy(String name, int port, int to, Connections connections)
            throws IOException, InterruptedException, BenchException {
        return start(
                name, port, PROXY.formatted(to, connections.upstream(), port, STATUS_PATH, connections.location()));
    }

    private Program start(String name, int port, String servers)
            throws IOException, InterruptedException, BenchException {
        Stage.requireFree(port, name);
        Path directory = Files.createDirectory(programs.directory().resolve(name + ".d"));
        Path configuration = Files.writeString(directory.resolve("nginx.conf"), CONFIGURATION.formatted(servers));
        Program program = programs.start(
                name, List.of("nginx", "-p", directory.toString(), "-c", configuration.toString(), "-e", "stderr"));
        programs.awaitHttp(program, Stage.url(port) + STATUS_PATH, START_SECONDS);
        return program;
    }
}
