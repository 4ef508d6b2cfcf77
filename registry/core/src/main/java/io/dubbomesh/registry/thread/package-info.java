/** Common parts of the threads of registrations and of watches: the tasks of other threads, outages, back-off. */
package io.dubbomesh.registry.thread;
