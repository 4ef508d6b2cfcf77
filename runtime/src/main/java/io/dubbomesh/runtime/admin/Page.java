package io.dubbomesh.runtime.admin;

import java.io.IOException;

/** Answers the requests for one path of the admin port. Runs on several threads at once, and may block. */
@FunctionalInterface
public interface Page {
    PageAnswer answer(PageRequest request) throws IOException;
}
