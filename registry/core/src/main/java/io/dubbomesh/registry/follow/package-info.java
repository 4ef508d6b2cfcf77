/** Follows a registry on a thread and delivers its directories: what all watches share. */
package io.dubbomesh.registry.follow;
