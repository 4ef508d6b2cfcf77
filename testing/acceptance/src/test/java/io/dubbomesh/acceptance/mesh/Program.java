package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.process.RunningProcess;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A program that can be started with settings. */
@FunctionalInterface
public interface Program {
    /** @param settings each is given as {@code -Dkey=value} */
    RunningProcess start(Path log, Map<String, String> settings) throws IOException;
}
