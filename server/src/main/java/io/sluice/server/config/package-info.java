/**
 * What a server is told: flags over environment over file over profile over defaults, every value
 * checked, and everything that is wrong said at once.
 */
@NullMarked
package io.sluice.server.config;

import org.jspecify.annotations.NullMarked;
