/** The process around an agent: its settings, its log, its admin server, its start and its end. */
package io.dubbomesh.runtime;
