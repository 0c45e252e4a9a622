// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about traces, and the names of spans, endpoints and tracks: kinds, to be compared by is(). See
// core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

// Spans.
LAB_TEXT(forwardOf, "%1 forward");
LAB_TEXT(backwardOf, "%1 backward");
LAB_TEXT(loss, "loss");
LAB_TEXT(input, "input");
LAB_TEXT(allReduce, "all-reduce");
LAB_TEXT(broadcast, "broadcast");
LAB_TEXT(pullWeights, "pull weights");
LAB_TEXT(pushGradients, "push gradients");
LAB_TEXT(addGradients, "add gradients");
LAB_TEXT(update, "update");
LAB_TEXT(waitForReplicas, "wait for replicas");
LAB_TEXT(waitForWeights, "wait for weights");
LAB_TEXT(waitForInput, "wait for input");
LAB_TEXT(waitForServer, "wait for server");
LAB_TEXT(taskIsDead, "dead");
LAB_TEXT(waitForDeadTask, "wait for a dead task");
LAB_TEXT(messageLost, "lost message");
LAB_TEXT(exchangeSums, "exchange sums");
LAB_TEXT(cancelled, "cancelled: too late");
LAB_TEXT(shareWeights, "exchange weights with neighbours");
LAB_TEXT(reduceScatter, "reduce-scatter");
LAB_TEXT(gatherWeights, "gather weights");
LAB_TEXT(pullsAndPushes, "pulls and pushes");
LAB_TEXT(resolveCluster, "resolve cluster");
LAB_TEXT(connectToCluster, "connect to cluster");
LAB_TEXT(initialiseTpu, "initialise TPU system");
LAB_TEXT(constructStrategy, "construct strategy");
LAB_TEXT(createVariables, "create variables");

// Endpoints.
LAB_TEXT(replicaEndpoint, "replica %1");
LAB_TEXT(workerEndpoint, "worker %1");
LAB_TEXT(serverEndpoint, "parameter server %1");
LAB_TEXT(parameterDevice, "parameter device");
LAB_TEXT(hostEndpoint, "host %1");

// Tracks, and what they run on.
LAB_TEXT(deviceTrack, "%1 · %2");
LAB_TEXT(linkTrack, "%1 → %2 · %3");
LAB_TEXT(pulledByAll, "weights · pulled by all");
LAB_TEXT(sentByAll, "gradients · sent by all");
LAB_TEXT(inputPipeline, "input pipeline");
LAB_TEXT(sharedMemory, "shared memory");
LAB_TEXT(betweenProcesses, "between processes of one host");
LAB_TEXT(betweenMachines, "network between hosts");
LAB_TEXT(hostToGpu, "host memory to GPU");
LAB_TEXT(gpuToGpu, "GPU to GPU");
LAB_TEXT(gpuMemory, "memory of GPU %1");

}  // namespace lab::say
