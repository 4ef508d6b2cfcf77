/** What the admin interface shows of a consumer agent and changes in it. */
package io.dubbomesh.consumer.admin;
