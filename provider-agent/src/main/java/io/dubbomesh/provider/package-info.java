/**
 * The provider agent: its settings, the wiring of each event loop, and when it registers. Uses all packages below; no
 * request passes through here.
 */
package io.dubbomesh.provider;
