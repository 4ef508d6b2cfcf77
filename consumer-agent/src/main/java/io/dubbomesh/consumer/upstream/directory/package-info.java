/** The directory of the registry: which endpoints the calls of a service may go to. */
package io.dubbomesh.consumer.upstream.directory;
