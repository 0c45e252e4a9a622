// SPDX-License-Identifier: GPL-3.0-or-later
// Messages about mistakes in catalogues, clusters and constants. See core/base/message.h.
#pragma once

#include "core/base/message.h"

namespace lab::say {

LAB_TEXT(noHostLink,
         "there is no path between its hosts: no link between hosts is named. Name one by its key in the catalogue.");
LAB_TEXT(noColumn, "'%1' has no column '%2'. Add it to the first line.");

LAB_TEXT(cellEmpty, "is empty. Fill it in.");
LAB_TEXT(cellNoFigure, "is '%1', not a number from 1e-6 to 1e9. Correct it.");
LAB_TEXT(cellNoShare, "is '%1', more than the peak itself. Write a share of the peak from 1e-6 to 1, such as 0.45.");
LAB_TEXT(cellAboveRate,
         "is '%1', more than the link can carry. Write at most the rate in the column link_gb_per_s_per_dir.");
LAB_TEXT(cellNoCount, "is '%1', not a whole number from 1 to %2. Correct it or leave it empty.");
LAB_TEXT(cellElsewhere, "does not belong to a %1. Leave it empty.");
LAB_TEXT(catalogueCell, "'%1', line %2 ('%3'): the cell '%4' %5");
LAB_TEXT(peakMissing, "is empty though a precision is given. Fill in both or neither.");
LAB_TEXT(catalogueEmpty, "'%1' holds no devices and no links. Give it a header and rows.");
LAB_TEXT(catalogueTooLong, "'%1' has %2 rows, but at most %3 are read. Leave some out.");
LAB_TEXT(unknownKind, "is '%1'. Write device or link.");
LAB_TEXT(noSuchLink, "names '%1', a link of neither this file nor the built-in catalogue. Correct it or add the link.");
LAB_TEXT(idTwice, "is used by an earlier row. Give each row its own.");

LAB_TEXT(clusterFault, "the cluster: %1");
LAB_TEXT(
    tooManySwitches,
    "more than %1 switches lie one above the other, from '%2' upwards. Use fewer levels: data centres have three.");
LAB_TEXT(mustBeObject, "%1 must be an object in braces.");
LAB_TEXT(mustBeText, "%1: '%2' must be a string in quotes.");
LAB_TEXT(mustBeCount, "%1: '%2' is %3, not a whole number from 1 to %4. Correct it.");
LAB_TEXT(mustBeFlag, "%1: '%2' must be true or false.");
LAB_TEXT(keyMissing, "%1 has no '%2'. Add it.");
LAB_TEXT(devicesOutside, "%1 devices cannot be simulated. Give 1 to %2.");
LAB_TEXT(devicesDoNotSpread,
         "%1 devices cannot be spread evenly over %2 hosts. Choose a number of hosts that divides the devices.");
LAB_TEXT(noHostsInCluster, "it has no hosts. Add at least one, with a device.");
LAB_TEXT(groupsOfOneName, "two groups of hosts are named '%1'. Give each its own name.");
LAB_TEXT(groupCount, "'%1' has a count of %2. Give 1 to %3.");
LAB_TEXT(devicesPerHost, "each host of '%1' has %2 devices. Give it 1 to %3.");
LAB_TEXT(hostTooFull, "%1 devices are too many for one host, which has %2 at most. Spread them over more hosts.");
LAB_TEXT(nicsPerHost, "each host of '%1' has %2 NICs. Give it 1 to %3.");
LAB_TEXT(tooManyDevices, "it has more than %1 devices, too many to simulate. Give fewer.");
LAB_TEXT(switchWithoutName, "a switch has no name. Give each one.");
LAB_TEXT(switchesOfOneName, "two switches are named '%1'. Give each its own name.");
LAB_TEXT(noUplinks, "the switch '%1' has no uplinks. Give it at least one.");
LAB_TEXT(noPath, "there is no path between all hosts: some end at %1 and others at %2. Connect the two.");
LAB_TEXT(unknownTransport, "'transport' is '%1'. Write auto, rdma, tcp or grpc.");
LAB_TEXT(hostsNoList, "'hosts' must be a list in brackets.");
LAB_TEXT(devicesNoMap, "'devices' of '%1' must be like {\"v100\": 8}.");
LAB_TEXT(switchesNoList, "'switches' must be a list in brackets.");

LAB_TEXT(constantsHeader, "'%1': the first line is not key,value,unit,source. Begin the table with these columns.");
LAB_TEXT(constantsRow, "'%1', line %2 ('%3'): %4");
LAB_TEXT(constantNoNumber, "the value is '%1', not a number from 0 to 1e9. Correct it.");
LAB_TEXT(constantDivisor, "the value is '%1', but the model divides by it. Write a number from %2 to 1e9.");
LAB_TEXT(constantNoSource, "the source is empty. Say where the value comes from.");
LAB_TEXT(constantTwice, "the key is used by an earlier row. Give each row its own.");

LAB_TEXT(noFamily, "is empty. Write one of: %1.");
LAB_TEXT(unknownFamily, "is '%1'. Write one of: %2.");
LAB_TEXT(deviceWord, "device model");
LAB_TEXT(linkWord, "link");

LAB_TEXT(
    switchCycle,
    "the switches form a cycle: '%1' is attached to itself by way of '%2'. Attach one of them to another, or to none.");
LAB_TEXT(switchOnItself, "the switches form a cycle: '%1' is attached to itself. Attach it to another, or to none.");
LAB_TEXT(addSwitch, "%1. Add it to the switches or correct the name.");
LAB_TEXT(switchWord, "switch");
LAB_TEXT(keyWord, "key");
LAB_TEXT(unknownKey, "%1 has an %2. Correct or remove it.");
LAB_TEXT(wholeCluster, "it");
LAB_TEXT(entryOfHosts, "an entry of 'hosts'");
LAB_TEXT(entryOfSwitches, "an entry of 'switches'");
LAB_TEXT(devicesOfGroup, "'devices' of '%1'");
LAB_TEXT(noSwitch, "no switch");

LAB_TEXT(unknownConstant,
         "'%1': '%2' is not a constant of the timing model. `strategylab-cli catalogue --json` lists them.");
LAB_TEXT(unknownConstantNear,
         "'%1': '%2' is not a constant of the timing model: did you mean '%3'? `strategylab-cli catalogue --json` "
         "lists them.");

LAB_TEXT(domainTooLarge,
         "%1 devices on one host: '%2' joins %3 at most. The times are extrapolated and have no error band. Put the "
         "devices on more hosts.");
LAB_TEXT(
    linkOfOthers,
    "'%1' has no ports for '%2'. The times are extrapolated and have no error band. Choose a link that it has: %3.");

LAB_TEXT(hostsJoinedByLink,
         "'%1' joins only devices of one host. Between hosts its times are extrapolated and have no error band. Choose "
         "a network between the hosts.");

LAB_TEXT(familyTaken,
         "the catalogue names no family for '%1', so %2 is assumed: the family of '%3', whose figures are nearest. "
         "Name the family in a column 'family'.");

}  // namespace lab::say
