/** What each connection to a provider has beside its protocol: whether the provider is heard, and when it is read. */
package io.dubbomesh.client.watch;
