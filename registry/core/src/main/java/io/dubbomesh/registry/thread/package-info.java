/** What the threads of registrations and of watches share: the tasks of other threads, outages, back-off. */
package io.dubbomesh.registry.thread;
