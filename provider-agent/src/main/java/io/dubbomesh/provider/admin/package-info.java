/** What the admin interface shows of a provider agent and changes in it. */
package io.dubbomesh.provider.admin;
