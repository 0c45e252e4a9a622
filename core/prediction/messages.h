// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for what the timing of runs cannot answer, and for the limits of its answers. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(reducerNotUsable, "%1 %2: %3 cannot use it. Leave %1 out, or choose another strategy.");
LAB_TEXT(replicasDoNotFillHosts,
         "%1 replicas cannot fill hosts of %2 devices. Give another --devices-per-host, other replicas or, under "
         "multi-worker-mirrored, --hosts.");
LAB_TEXT(replicasForOne, "%1 %2: %3 has one replica. Leave %1 out, or choose another strategy.");
LAB_TEXT(replicasBeyondCluster,
         "%1 %2 do not fit on a cluster of %3 devices. Give fewer replicas or a larger cluster.");
LAB_TEXT(runsOnOneHost,
         "%1 runs on one host, and %2 replicas are on %3. Choose --strategy multi-worker-mirrored, or fewer hosts.");
LAB_TEXT(ofSimulatedDevices, "%1 applies to simulated devices, but those of this run are real. Leave %1 out.");
LAB_TEXT(noSuchPorts, "%1 %2: '%3' has no ports for it. Give one of these, or leave %1 out: %4.");
LAB_TEXT(runsOnTpuAlone, "%1 %2: %3 runs only on TPU cores. Give one of these, or leave %1 out: %4.");
LAB_TEXT(otherUnderTpu,
         "%2 runs only on TPU cores, and '%1' is not one. The times are extrapolated and have no error band. Choose "
         "one of these: %3.");
LAB_TEXT(tpuUnderOther,
         "'%1' is a TPU core, and %2 does not run on several of them. The times are extrapolated and have no error "
         "band. Choose another device, or TPUStrategy.");
LAB_TEXT(linkStaysInHost,
         "%1 %2: it joins only devices of one host. Give a network, such as eth_100g or ib_hdr, or leave %1 out.");
LAB_TEXT(slowReplica, "%1 %2: the number of replicas is %3, and they are counted from 0. Name one of these.");
LAB_TEXT(gpuStandsIn,
         "the catalogue does not know '%1': '%2' stands in for it, scaled to the measured times where there are any.");
LAB_TEXT(repricedOnTpu,
         "%1 runs only on TPU cores with their own links: computing time is modelled as well, not taken from the "
         "recorded step.");
LAB_TEXT(repricedOffTpu,
         "%1 does not run on TPU cores: computing time is modelled as well, not taken from the recorded step.");
LAB_TEXT(repricedOnOne, "%1 has one replica: it computes all %2 examples.");
LAB_TEXT(repricedAsCycle,
         "Under %1 a step belongs to one worker: its mean cycle is compared with the recorded step of all replicas.");
LAB_TEXT(repricedUneven, "%1 examples cannot be shared equally by %2 workers: each takes %3.");
LAB_TEXT(repricedAsStep, "Under %1 a step belongs to all replicas; the recorded one was one worker's cycle.");
LAB_TEXT(repricedAsRound, "A step of %1 is the mean of %2 steps, of which the last is drawn: it averages the weights.");
LAB_TEXT(repricedSending, "Computing time is the measured step's; communication time comes only from the catalogue.");

}  // namespace lab::say
