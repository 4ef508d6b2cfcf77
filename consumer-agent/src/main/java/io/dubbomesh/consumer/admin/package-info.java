/** The admin interface of a consumer agent: its documents and its changes. */
package io.dubbomesh.consumer.admin;
