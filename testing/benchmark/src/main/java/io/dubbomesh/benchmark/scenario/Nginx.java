package io.dubbomesh.benchmark.scenario;

import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.process.Programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts nginx with one worker process and its own configuration. */
record Nginx(Programs programs) {
    static final String ANSWER = "ok";

    private static final int START_SECONDS = 10;

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
                default_type text/plain;
                %s
                server {
                    listen 127.0.0.1:%d reuseport backlog=4096;
                    location = /status { return 200 ""; }
                    location / { %s }
                }
            }
            """;

    /** Answers everything with {@link #ANSWER}. */
    Program startAnswering(String name, int port) throws IOException, InterruptedException {
        return start(name, port, "", "return 200 \"" + ANSWER + "\";");
    }

    /**
     * @param kept how many connections to the server may idle; 0 for nginx's default: HTTP/1.0, a connection for each
     *     request
     */
    Program startProxy(String name, int port, int to, int kept) throws IOException, InterruptedException {
        String keepAlive = kept == 0 ? "" : "keepalive " + kept + "; keepalive_requests 1000000000;";
        String http11 = kept == 0 ? "" : "proxy_http_version 1.1; proxy_set_header Connection \"\";";
        return start(
                name,
                port,
                "upstream called { server 127.0.0.1:" + to + "; " + keepAlive + " }",
                "proxy_pass http://called; " + http11);
    }

    private Program start(String name, int port, String upstream, String location)
            throws IOException, InterruptedException {
        Stage.requireFree(port, name);
        Path directory = Files.createDirectory(programs.directory().resolve(name + ".d"));
        Path configuration =
                Files.writeString(directory.resolve("nginx.conf"), CONFIGURATION.formatted(upstream, port, location));
        Program program = programs.start(
                name, List.of("nginx", "-p", directory.toString(), "-c", configuration.toString(), "-e", "stderr"));
        programs.awaitHttp(program, Stage.url(port) + "/status", START_SECONDS);
        return program;
    }
}
