/** The admin interface of a provider agent: its documents and its changes. */
package io.dubbomesh.provider.admin;
