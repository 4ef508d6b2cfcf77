/** Makes the archives that agents start from: runs them as their launchers do, with calls through a pair of them. */
package io.dubbomesh.runtime.training;
