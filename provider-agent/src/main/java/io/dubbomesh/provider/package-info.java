/**
 * The provider agent: its settings, the wiring of each event loop, and when it registers. Uses all other rooms; no request passes through
 * here.
 */
package io.dubbomesh.provider;
