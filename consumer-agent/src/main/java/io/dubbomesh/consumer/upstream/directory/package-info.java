/** What the registry's directory tells of the endpoints of services: which of them calls may go to. */
package io.dubbomesh.consumer.upstream.directory;
