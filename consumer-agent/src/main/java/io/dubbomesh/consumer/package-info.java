/** The consumer agent: its settings, its event loops, start and end. */
package io.dubbomesh.consumer;
