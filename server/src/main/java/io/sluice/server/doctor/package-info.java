/**
 * Looks at a set-up without changing it and says what is wrong with it and how to mend that. Each check
 * is one small method in the list of {@link io.sluice.server.doctor.Doctor}; what they can find is the
 * table {@link io.sluice.server.doctor.Fault}.
 */
@NullMarked
package io.sluice.server.doctor;

import org.jspecify.annotations.NullMarked;
