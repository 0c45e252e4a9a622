<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>lab</name>
    <message numerus="yes">
        <source>A global batch: %Ln real images from %1.</source>
        <translation>
            <numerusform>A global batch: %Ln real image from %1.</numerusform>
            <numerusform>A global batch: %Ln real images from %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln replica</numerusform>
            <numerusform>%Ln replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> over %Ln hosts</source>
        <translation>
            <numerusform> over %Ln host</numerusform>
            <numerusform> over %Ln hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> Staleness: %Ln updates.</source>
        <translation>
            <numerusform> Staleness: %Ln update.</numerusform>
            <numerusform> Staleness: %Ln updates.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>They were %Ln updates stale: others came between.</source>
        <translation>
            <numerusform>They were %Ln update stale: another came between.</numerusform>
            <numerusform>They were %Ln updates stale: others came between.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete %Ln runs</source>
        <translation>
            <numerusform>&amp;Delete %Ln run</numerusform>
            <numerusform>&amp;Delete %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seconds</source>
        <translation>
            <numerusform>%Ln second</numerusform>
            <numerusform>%Ln seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minutes</source>
        <translation>
            <numerusform>%Ln minute</numerusform>
            <numerusform>%Ln minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean of %Ln seeds</source>
        <translation>
            <numerusform>value of %Ln seed</numerusform>
            <numerusform>mean of %Ln seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas instead of %1.</source>
        <translation>
            <numerusform>%Ln replica instead of %1.</numerusform>
            <numerusform>%Ln replicas instead of %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No global batch: a step belongs to one worker and has %Ln images;</source>
        <translation>
            <numerusform>No global batch: a step belongs to one worker and has %Ln image;</numerusform>
            <numerusform>No global batch: a step belongs to one worker and has %Ln images;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln steps see as many images as one step of the others.</source>
        <translation>
            <numerusform>%Ln step sees as many images as one step of the others.</numerusform>
            <numerusform>%Ln steps see as many images as one step of the others.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A step has %Ln images in total; a step of %1 is one worker&apos;s, with %2.</source>
        <translation>
            <numerusform>A step has %Ln image in total; a step of %1 is one worker&apos;s, with %2.</numerusform>
            <numerusform>A step has %Ln images in total; a step of %1 is one worker&apos;s, with %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln links, alike</source>
        <translation>
            <numerusform>%Ln link, alike</numerusform>
            <numerusform>%Ln links, alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas, alike</source>
        <translation>
            <numerusform>%Ln replica, alike</numerusform>
            <numerusform>%Ln replicas, alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers, alike</source>
        <translation>
            <numerusform>%Ln worker, alike</numerusform>
            <numerusform>%Ln workers, alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln parameter servers, alike</source>
        <translation>
            <numerusform>%Ln parameter server, alike</numerusform>
            <numerusform>%Ln parameter servers, alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, alike</source>
        <translation>
            <numerusform>%Ln device, alike</numerusform>
            <numerusform>%Ln devices, alike</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln links, at start-up only</source>
        <translation>
            <numerusform>%Ln link, at start-up only</numerusform>
            <numerusform>%Ln links, at start-up only</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean of %Ln steps</source>
        <translation>
            <numerusform>mean of %Ln step</numerusform>
            <numerusform>mean of %Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A step is one worker&apos;s: %Ln images.</source>
        <translation>
            <numerusform>A step is one worker&apos;s: %Ln image.</numerusform>
            <numerusform>A step is one worker&apos;s: %Ln images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A step has %Ln images in total.</source>
        <translation>
            <numerusform>A step has %Ln image in total.</numerusform>
            <numerusform>A step has %Ln images in total.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln seeds</source>
        <translation>
            <numerusform>%Ln seed</numerusform>
            <numerusform>%Ln seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln worker</numerusform>
            <numerusform>%Ln workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln updates</source>
        <translation>
            <numerusform>%Ln update</numerusform>
            <numerusform>%Ln updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers joined</source>
        <translation>
            <numerusform>%Ln worker joined</numerusform>
            <numerusform>%Ln workers joined</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers take part in this step, each with images of its own: %1 in total.</source>
        <translation>
            <numerusform>%Ln worker takes part in this step, with images of its own: %1 in total.</numerusform>
            <numerusform>%Ln workers take part in this step, each with images of its own: %1 in total.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps a test accuracy of %1</source>
        <translation>
            <numerusform>after %Ln step a test accuracy of %1</numerusform>
            <numerusform>after %Ln steps a test accuracy of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps</source>
        <translation>
            <numerusform>after %Ln step</numerusform>
            <numerusform>after %Ln steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The test step counts how many of %Ln test images are recognised.</source>
        <translation>
            <numerusform>The test step counts whether %Ln test image is recognised.</numerusform>
            <numerusform>The test step counts how many of %Ln test images are recognised.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The test step: %Ln test images are shared by the workers; the counts of right answers are added.</source>
        <translation>
            <numerusform>The test step: %Ln test image goes to one worker; the counts of right answers are added.</numerusform>
            <numerusform>The test step: %Ln test images are shared by the workers; the counts of right answers are added.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The test step: %Ln test images are distributed, each replica counts its right answers, reduce(SUM) adds.</source>
        <translation>
            <numerusform>The test step: %Ln test image is distributed, each replica counts its right answers, reduce(SUM) adds.</numerusform>
            <numerusform>The test step: %Ln test images are distributed, each replica counts its right answers, reduce(SUM) adds.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln images over %1 replicas: %2.</source>
        <translation>
            <numerusform>%Ln image over %1 replicas: %2.</numerusform>
            <numerusform>%Ln images over %1 replicas: %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No global batch: a step belongs to one worker and has %Ln images.</source>
        <translation>
            <numerusform>No global batch: a step belongs to one worker and has %Ln image.</numerusform>
            <numerusform>No global batch: a step belongs to one worker and has %Ln images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> on real devices of %Ln computers</source>
        <translation>
            <numerusform> on real devices of %Ln computer</numerusform>
            <numerusform> on real devices of %Ln computers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same %Ln images go to each of the %1 hosts, because sharding is off.</source>
        <translation>
            <numerusform>The same %Ln image goes to each of the %1 hosts, because sharding is off.</numerusform>
            <numerusform>The same %Ln images go to each of the %1 hosts, because sharding is off.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: no mean, a value in %2 of %Ln runs</source>
        <translation>
            <numerusform>%1: no mean, a value in %2 of %Ln run</numerusform>
            <numerusform>%1: no mean, a value in %2 of %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs reached the target</source>
        <translation>
            <numerusform>%1 of %Ln run reached the target</numerusform>
            <numerusform>%1 of %Ln runs reached the target</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs ended with a loss that is a number</source>
        <translation>
            <numerusform>%1 of %Ln run ended with a loss that is a number</numerusform>
            <numerusform>%1 of %Ln runs ended with a loss that is a number</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not stopped: %1 of %Ln runs</source>
        <translation>
            <numerusform>not stopped: %1 of %Ln run</numerusform>
            <numerusform>not stopped: %1 of %Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server alone counts how many of %Ln test images are recognised: the workers have none.</source>
        <translation>
            <numerusform>The server alone counts whether %Ln test image is recognised: the workers have none.</numerusform>
            <numerusform>The server alone counts how many of %Ln test images are recognised: the workers have none.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::BatchGrid</name>
    <message numerus="yes">
        <source>%1: %Ln images, not computed yet</source>
        <translation>
            <numerusform>%1: %Ln image, not computed yet</numerusform>
            <numerusform>%1: %Ln images, not computed yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln images, left out: too late</source>
        <translation>
            <numerusform>%1: %Ln image, left out: too late</numerusform>
            <numerusform>%1: %Ln images, left out: too late</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::BreakdownBar</name>
    <message numerus="yes">
        <source>%Ln images</source>
        <translation>
            <numerusform>%Ln image</numerusform>
            <numerusform>%Ln images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::BreakdownStrip</name>
    <message numerus="yes">
        <source>%Ln devices alike, %1 each</source>
        <translation>
            <numerusform>%Ln device alike, %1 each</numerusform>
            <numerusform>%Ln devices alike, %1 each</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean of %Ln devices: %1</source>
        <translation>
            <numerusform>Mean of %Ln device: %1</numerusform>
            <numerusform>Mean of %Ln devices: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ClassDesk</name>
    <message numerus="yes">
        <source>%1, %Ln replicas</source>
        <translation>
            <numerusform>%1, %Ln replica</numerusform>
            <numerusform>%1, %Ln replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This experiment hides or locks %Ln controls. %1 brings all back.</source>
        <translation>
            <numerusform>This experiment hides or locks %Ln control. %1 brings all back.</numerusform>
            <numerusform>This experiment hides or locks %Ln controls. %1 brings all back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ClassLocks</name>
    <message numerus="yes">
        <source>hide %Ln controls</source>
        <translation>
            <numerusform>hide %Ln control</numerusform>
            <numerusform>hide %Ln controls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>lock %Ln controls</source>
        <translation>
            <numerusform>lock %Ln control</numerusform>
            <numerusform>lock %Ln controls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>show %Ln controls</source>
        <translation>
            <numerusform>show %Ln control</numerusform>
            <numerusform>show %Ln controls</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ClassPanel</name>
    <message numerus="yes">
        <source>Training ends for %Ln workers, and the link is no longer valid. The run stays in the window.</source>
        <translation>
            <numerusform>Training ends for %Ln worker, and the link is no longer valid. The run stays in the window.</numerusform>
            <numerusform>Training ends for %Ln workers, and the link is no longer valid. The run stays in the window.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ClusterPicture</name>
    <message numerus="yes">
        <source>%Ln hosts</source>
        <translation>
            <numerusform>%Ln host</numerusform>
            <numerusform>%Ln hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>with %Ln devices each, joined by %1</source>
        <translation>
            <numerusform>with %Ln device each, joined by %1</numerusform>
            <numerusform>with %Ln devices each, joined by %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; between hosts %Ln NICs of %1</source>
        <translation>
            <numerusform>; between hosts %Ln NIC of %1</numerusform>
            <numerusform>; between hosts %Ln NICs of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %Ln parameter servers, each a host of its own</source>
        <translation>
            <numerusform>and %Ln parameter server, a host of its own</numerusform>
            <numerusform>and %Ln parameter servers, each a host of its own</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>to %Ln parameter servers</source>
        <translation>
            <numerusform>to %Ln parameter server</numerusform>
            <numerusform>to %Ln parameter servers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ConfusionTable</name>
    <message numerus="yes">
        <source>%1 taken for %2: %Ln times</source>
        <translation>
            <numerusform>%1 taken for %2: %Ln time</numerusform>
            <numerusform>%1 taken for %2: %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::DataDialog</name>
    <message numerus="yes">
        <source>%Ln files are left out:</source>
        <translation>
            <numerusform>%Ln file is left out:</numerusform>
            <numerusform>%Ln files are left out:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Describer</name>
    <message numerus="yes">
        <source>%1: after %Ln updates</source>
        <translation>
            <numerusform>%1: after %Ln update</numerusform>
            <numerusform>%1: after %Ln updates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln values</source>
        <translation>
            <numerusform>%1, %Ln value</numerusform>
            <numerusform>%1, %Ln values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 operations for %Ln images</source>
        <translation>
            <numerusform>%1 operations for %Ln image</numerusform>
            <numerusform>%1 operations for %Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean and variance of all %Ln images, added up over the replicas</source>
        <translation>
            <numerusform>mean and variance of %Ln image, added up over the replicas</numerusform>
            <numerusform>mean and variance of all %Ln images, added up over the replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean and variance of its own %Ln images</source>
        <translation>
            <numerusform>mean and variance of its own %Ln image</numerusform>
            <numerusform>mean and variance of its own %Ln images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::DragOut</name>
    <message numerus="yes">
        <source>%Ln steps</source>
        <translation>
            <numerusform>%Ln step</numerusform>
            <numerusform>%Ln steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Experiment</name>
    <message numerus="yes">
        <source>Each worker takes its own batch of %Ln images.</source>
        <translation>
            <numerusform>Each worker takes its own batch of %Ln image.</numerusform>
            <numerusform>Each worker takes its own batch of %Ln images.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::FilterGrid</name>
    <message numerus="yes">
        <source>The %Ln filters of %1, %2 each: %3</source>
        <translation>
            <numerusform>The %Ln filter of %1, %2: %3</numerusform>
            <numerusform>The %Ln filters of %1, %2 each: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %Ln units of %1, and how each weighs the %2 pixels: %3</source>
        <translation>
            <numerusform>The %Ln unit of %1, and how it weighs the %2 pixels: %3</numerusform>
            <numerusform>The %Ln units of %1, and how each weighs the %2 pixels: %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ForeignTracks</name>
    <message numerus="yes">
        <source>by %1 · %Ln slices, on a time axis of their own</source>
        <translation>
            <numerusform>by %1 · %Ln slice, on a time axis of its own</numerusform>
            <numerusform>by %1 · %Ln slices, on a time axis of their own</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %Ln slices cannot be read</source>
        <translation>
            <numerusform> · %Ln slice cannot be read</numerusform>
            <numerusform> · %Ln slices cannot be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %Ln slices have no room</source>
        <translation>
            <numerusform> · %Ln slice has no room</numerusform>
            <numerusform> · %Ln slices have no room</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Invitation</name>
    <message numerus="yes">
        <source>%Ln have joined: %1</source>
        <translation>
            <numerusform>%Ln has joined: %1</numerusform>
            <numerusform>%Ln have joined: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::KeptComparison</name>
    <message numerus="yes">
        <source>This file has %Ln lanes beside its run.</source>
        <translation>
            <numerusform>This file has %Ln lane beside its run.</numerusform>
            <numerusform>This file has %Ln lanes beside its run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::KeptSession</name>
    <message numerus="yes">
        <source>A class is being served, with %Ln workers. The lesson ends for them.</source>
        <translation>
            <numerusform>A class is being served, with %Ln worker. The lesson ends for it.</numerusform>
            <numerusform>A class is being served, with %Ln workers. The lesson ends for them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A sweep is under way: %1 of %Ln runs ended. What ended is kept; what is under way is lost.</source>
        <translation>
            <numerusform>A sweep is under way: %1 of %Ln run ended. What ended is kept; what is under way is lost.</numerusform>
            <numerusform>A sweep is under way: %1 of %Ln runs ended. What ended is kept; what is under way is lost.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Lane</name>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln replica</numerusform>
            <numerusform>%Ln replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln worker</numerusform>
            <numerusform>%Ln workers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::LessonView</name>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln page</numerusform>
            <numerusform>%Ln pages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::MomentChooser</name>
    <message numerus="yes">
        <source>%Ln updates stale</source>
        <translation>
            <numerusform>%Ln update stale</numerusform>
            <numerusform>%Ln updates stale</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::MomentsView</name>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln replica</numerusform>
            <numerusform>%Ln replicas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::MovieDialog</name>
    <message numerus="yes">
        <source>%Ln pictures, %1 s.</source>
        <translation>
            <numerusform>%Ln picture, %1 s.</numerusform>
            <numerusform>%Ln pictures, %1 s.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>About %1, an estimate from %Ln pictures.</source>
        <translation>
            <numerusform>About %1, an estimate from %Ln picture.</numerusform>
            <numerusform>About %1, an estimate from %Ln pictures.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::NetworkPage</name>
    <message numerus="yes">
        <source>activations of %Ln images %1</source>
        <translation>
            <numerusform>activations of %Ln image %1</numerusform>
            <numerusform>activations of %Ln images %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::OperationsPanel</name>
    <message numerus="yes">
        <source>Step %1 · %2 · %3 of %Ln devices</source>
        <translation>
            <numerusform>Step %1 · %2 · %3 of %Ln device</numerusform>
            <numerusform>Step %1 · %2 · %3 of %Ln devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Poster</name>
    <message numerus="yes">
        <source>%1: one step of %Ln workers on one server</source>
        <translation>
            <numerusform>%1: one step of %Ln worker on one server</numerusform>
            <numerusform>%1: one step of %Ln workers on one server</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: one step of %Ln workers on %2 servers</source>
        <translation>
            <numerusform>%1: one step of %Ln worker on %2 servers</numerusform>
            <numerusform>%1: one step of %Ln workers on %2 servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: one step on %Ln replicas of %2 hosts</source>
        <translation>
            <numerusform>%1: one step on %Ln replica of %2 hosts</numerusform>
            <numerusform>%1: one step on %Ln replicas of %2 hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: one step on %Ln replicas</source>
        <translation>
            <numerusform>%1: one step on %Ln replica</numerusform>
            <numerusform>%1: one step on %Ln replicas</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln images from %1</source>
        <translation>
            <numerusform>%Ln image from %1</numerusform>
            <numerusform>%Ln images from %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ProcessBar</name>
    <message numerus="yes">
        <source>%Ln processes, ended</source>
        <translation>
            <numerusform>%Ln process, ended</numerusform>
            <numerusform>%Ln processes, ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln processes, kill:</source>
        <translation>
            <numerusform>%Ln process, kill:</numerusform>
            <numerusform>%Ln processes, kill:</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ProgramPane</name>
    <message numerus="yes">
        <source>The program is on the clipboard: %Ln lines.</source>
        <translation>
            <numerusform>The program is on the clipboard: %Ln line.</numerusform>
            <numerusform>The program is on the clipboard: %Ln lines.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines changed</source>
        <translation>
            <numerusform>%Ln line changed</numerusform>
            <numerusform>%Ln lines changed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> (and %Ln comments or stand-ins)</source>
        <translation>
            <numerusform> (and %Ln comment or stand-in)</numerusform>
            <numerusform> (and %Ln comments or stand-ins)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::RunFiles</name>
    <message numerus="yes">
        <source>%Ln steps before that are whole, and are among the runs.</source>
        <translation>
            <numerusform>%Ln step before that is whole, and is among the runs.</numerusform>
            <numerusform>%Ln steps before that are whole, and are among the runs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln curves of %1 are among the runs, to compare with.</source>
        <translation>
            <numerusform>%Ln curve of %1 is among the runs, to compare with.</numerusform>
            <numerusform>%Ln curves of %1 are among the runs, to compare with.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::ScalingView</name>
    <message numerus="yes">
        <source>%Ln devices: %1, efficiency %2 %</source>
        <translation>
            <numerusform>%Ln device: %1, efficiency %2 %</numerusform>
            <numerusform>%Ln devices: %1, efficiency %2 %</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, %1 examples each: %2, %3, efficiency %4 % (modelled)</source>
        <translation>
            <numerusform>%Ln device, %1 examples: %2, %3, efficiency %4 % (modelled)</numerusform>
            <numerusform>%Ln devices, %1 examples each: %2, %3, efficiency %4 % (modelled)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices: %1× the images a second of one</source>
        <translation>
            <numerusform>%Ln device: %1× the images a second of one</numerusform>
            <numerusform>%Ln devices: %1× the images a second of one</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln examples each: %1</source>
        <translation>
            <numerusform>%Ln example each: %1</numerusform>
            <numerusform>%Ln examples each: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, up to %1 examples each: %2, %3, efficiency %4 % (modelled)</source>
        <translation>
            <numerusform>%Ln device, up to %1 examples each: %2, %3, efficiency %4 % (modelled)</numerusform>
            <numerusform>%Ln devices, up to %1 examples each: %2, %3, efficiency %4 % (modelled)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>up to %Ln examples each: %1</source>
        <translation>
            <numerusform>up to %Ln example each: %1</numerusform>
            <numerusform>up to %Ln examples each: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SceneBatch</name>
    <message numerus="yes">
        <source>global batch: %Ln images from %1</source>
        <translation>
            <numerusform>global batch: %Ln image from %1</numerusform>
            <numerusform>global batch: %Ln images from %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>global batch: %Ln images</source>
        <translation>
            <numerusform>global batch: %Ln image</numerusform>
            <numerusform>global batch: %Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>handed out to %Ln workers</source>
        <translation>
            <numerusform>handed out to %Ln worker</numerusform>
            <numerusform>handed out to %Ln workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>handed out: %Ln images to each replica</source>
        <translation>
            <numerusform>handed out: %Ln image to each replica</numerusform>
            <numerusform>handed out: %Ln images to each replica</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SceneBeats</name>
    <message numerus="yes">
        <source>%Ln test images</source>
        <translation>
            <numerusform>%Ln test image</numerusform>
            <numerusform>%Ln test images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>over %Ln test images</source>
        <translation>
            <numerusform>over %Ln test image</numerusform>
            <numerusform>over %Ln test images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SceneBuilder</name>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln worker</numerusform>
            <numerusform>%Ln workers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln replica</numerusform>
            <numerusform>%Ln replicas</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SceneColumns</name>
    <message numerus="yes">
        <source>%Ln images</source>
        <translation>
            <numerusform>%Ln image</numerusform>
            <numerusform>%Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its last batch: %Ln images</source>
        <translation>
            <numerusform>its last batch: %Ln image</numerusform>
            <numerusform>its last batch: %Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its own batch: %Ln images</source>
        <translation>
            <numerusform>its own batch: %Ln image</numerusform>
            <numerusform>its own batch: %Ln images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>waits for %Ln images</source>
        <translation>
            <numerusform>waits for %Ln image</numerusform>
            <numerusform>waits for %Ln images</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Session</name>
    <message numerus="yes">
        <source>%Ln steps before that are stored.</source>
        <translation>
            <numerusform>%Ln step before that is stored.</numerusform>
            <numerusform>%Ln steps before that are stored.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::StatusLine</name>
    <message numerus="yes">
        <source>%Ln events came too fast to be shown</source>
        <translation>
            <numerusform>%Ln event came too fast to be shown</numerusform>
            <numerusform>%Ln events came too fast to be shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln events of the trace lost</source>
        <translation>
            <numerusform>%Ln event of the trace lost</numerusform>
            <numerusform>%Ln events of the trace lost</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SweepBar</name>
    <message numerus="yes">
        <source>%Ln runs to go</source>
        <translation>
            <numerusform>%Ln run to go</numerusform>
            <numerusform>%Ln runs to go</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs diverged. Trains them again, with what is missing. The same settings give the same result, unless the program has changed.</source>
        <translation>
            <numerusform>%Ln run diverged. Trains it again, with what is missing. The same settings give the same result, unless the program has changed.</numerusform>
            <numerusform>%Ln runs diverged. Trains them again, with what is missing. The same settings give the same result, unless the program has changed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SweepCoordinates</name>
    <message numerus="yes">
        <source>%1 of %Ln runs</source>
        <translation>
            <numerusform>%1 of %Ln run</numerusform>
            <numerusform>%1 of %Ln runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::SweepView</name>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln run</numerusform>
            <numerusform>%Ln runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs cannot be trained: %1</source>
        <translation>
            <numerusform>%Ln run cannot be trained: %1</numerusform>
            <numerusform>%Ln runs cannot be trained: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::TablePlot</name>
    <message numerus="yes">
        <source>%Ln cells hold no number and are left out.</source>
        <translation>
            <numerusform>%Ln cell holds no number and is left out.</numerusform>
            <numerusform>%Ln cells hold no number and are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln points.</source>
        <translation>
            <numerusform>%Ln point.</numerusform>
            <numerusform>%Ln points.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::TracePanel</name>
    <message numerus="yes">
        <source>%1 %2: %Ln transfers, %3</source>
        <translation>
            <numerusform>%1 %2: %Ln transfer, %3</numerusform>
            <numerusform>%1 %2: %Ln transfers, %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %Ln spans were not recorded</source>
        <translation>
            <numerusform> · %Ln span was not recorded</numerusform>
            <numerusform> · %Ln spans were not recorded</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · at most %1 at once, on %Ln links</source>
        <translation>
            <numerusform> · at most %1 at once, on %Ln link</numerusform>
            <numerusform> · at most %1 at once, on %Ln links</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::WhatIfPanel</name>
    <message numerus="yes">
        <source>Modelled: %Ln examples over all devices</source>
        <translation>
            <numerusform>Modelled: %Ln example over all devices</numerusform>
            <numerusform>Modelled: %Ln examples over all devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Modelled: %Ln examples on each device</source>
        <translation>
            <numerusform>Modelled: %Ln example on each device</numerusform>
            <numerusform>Modelled: %Ln examples on each device</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Strong scaling: global batch fixed, %Ln examples</source>
        <translation>
            <numerusform>Strong scaling: global batch fixed, %Ln example</numerusform>
            <numerusform>Strong scaling: global batch fixed, %Ln examples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Weak scaling: batch per replica fixed, %Ln examples</source>
        <translation>
            <numerusform>Weak scaling: batch per replica fixed, %Ln example</numerusform>
            <numerusform>Weak scaling: batch per replica fixed, %Ln examples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>More devices than examples: strong scaling (global batch fixed) ends at %Ln devices; modelled is one example on each, %1 in all.</source>
        <translation>
            <numerusform>More devices than examples: strong scaling (global batch fixed) ends at %Ln device; modelled is one example on each, %1 in all.</numerusform>
            <numerusform>More devices than examples: strong scaling (global batch fixed) ends at %Ln devices; modelled is one example on each, %1 in all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What if: %1 of %Ln devices drawn</source>
        <translation>
            <numerusform>What if: %1 of %Ln device drawn</numerusform>
            <numerusform>What if: %1 of %Ln devices drawn</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Strong scaling: global batch fixed, %Ln examples. Each worker takes a whole share, so %1 are trained.</source>
        <translation>
            <numerusform>Strong scaling: global batch fixed, %Ln example. Each worker takes a whole share, so %1 are trained.</numerusform>
            <numerusform>Strong scaling: global batch fixed, %Ln examples. Each worker takes a whole share, so %1 are trained.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Modelled: up to %Ln examples over all devices</source>
        <translation>
            <numerusform>Modelled: up to %Ln example over all devices</numerusform>
            <numerusform>Modelled: up to %Ln examples over all devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Workbench</name>
    <message numerus="yes">
        <source>%Ln runs were deleted.</source>
        <translation>
            <numerusform>%Ln run was deleted.</numerusform>
            <numerusform>%Ln runs were deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs deleted</source>
        <translation>
            <numerusform>%Ln run deleted</numerusform>
            <numerusform>%Ln runs deleted</numerusform>
        </translation>
    </message>
</context>
</TS>
