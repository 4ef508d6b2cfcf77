/** The registry in a directory of files, for the agents of one machine. */
package io.dubbomesh.registry.file;
