/**
 * The HTTP server for operators, in which no thread waits for a client. Uses process for failures of its start,
 * settings and logging for what it shows and changes.
 */
package io.dubbomesh.runtime.admin;
