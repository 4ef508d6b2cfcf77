/** The HTTP server for operators. Uses process for failures of its start. */
package io.dubbomesh.runtime.admin;
