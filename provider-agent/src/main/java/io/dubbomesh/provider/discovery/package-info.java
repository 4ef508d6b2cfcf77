/**
 * Which services are served, and what their methods and types are: from class files, and by asking the provider. Uses no other package of the agent; nothing of it
 * runs on an event loop but look-ups in its immutable results.
 */
package io.dubbomesh.provider.discovery;
