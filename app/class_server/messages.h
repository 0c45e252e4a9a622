// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the class's program on standard error, for the command line, in English.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(classNotListening, "cannot listen on %1: %2. Choose another address or port with --listen.");
LAB_TEXT(classNotStartedBy, "strategylab-class is started by `strategylab-cli serve` and `join`.");
LAB_TEXT(classUnreachable, "the class at %1 cannot be reached: %2. See that it is on, and that this network lets you.");
LAB_TEXT(classIsNotThere,
         "what answers at %1 is not this class: %2. The class may be over, or have another address, or a link that "
         "begins with %3. Ask for the link again.");
LAB_TEXT(classConnectionLost, "the connection to the class at %1 broke, and it was not found again: %2.");
LAB_TEXT(classNoRandom, "there are no random numbers here (/dev/urandom), and so no key for a class.");
LAB_TEXT(classCertificateUnreadable, "%1: no certificates can be read from %2: %3. Give a file in PEM.");
LAB_TEXT(
    classKeyUnreadable,
    "%1: the certificate's key cannot be read from %2, or is not its own: %3. Give it in PEM, without a password.");
LAB_TEXT(classCertificateOfAnother,
         "%1: %2 is not for %3. Give --listen NAME:PORT with a name that is in it, and that is this machine's.");
LAB_TEXT(classNotTrusted,
         "the certificate of the class at %1 is none that this machine trusts: %2. Ask the teacher for the school's "
         "own, and give it with --ca.");
LAB_TEXT(classSentAway, "this worker was sent away: %1");

}  // namespace lab::say
