/**
 * The HTTP server for operators. Uses process for failures of its start, settings and logging for what it shows and
 * changes.
 */
package io.dubbomesh.runtime.admin;
