<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>Sources: %1</source>
        <translation>Quellen: %1</translation>
    </message>
    <message>
        <source>%1 TFLOP/s float32</source>
        <translation>%1 TFLOP/s float32</translation>
    </message>
    <message>
        <source>%1 TFLOP/s %2</source>
        <translation>%1 TFLOP/s %2</translation>
    </message>
    <message>
        <source>%1 GB memory, %2 GB/s</source>
        <translation>%1 GB Speicher, %2 GB/s</translation>
    </message>
    <message>
        <source>%1 µs per kernel launch</source>
        <translation>%1 µs je Kernelstart</translation>
    </message>
    <message>
        <source>%1 % of its peak when it trains a CNN</source>
        <translation>%1 % der Spitzenleistung beim Training eines CNN</translation>
    </message>
    <message>
        <source>%1 µs per transfer</source>
        <translation>%1 µs je Übertragung</translation>
    </message>
    <message>
        <source>one pack</source>
        <translation>ein Paket</translation>
    </message>
    <message>
        <source>Pack size</source>
        <translation>Paketgröße</translation>
    </message>
    <message>
        <source>Gradients are sent as soon as this many bytes are ready, while the backward pass continues.</source>
        <translation>Gradienten werden gesendet, sobald so viele Bytes bereit sind, während der Rückwärtsdurchlauf weitergeht.</translation>
    </message>
    <message>
        <source>Stragglers</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>How much the computing time varies from replica to replica (shape of a log-normal distribution): 0.01 is usual for dedicated GPUs.</source>
        <translation>Wie stark die Rechenzeit von Replikat zu Replikat schwankt (Form einer Lognormalverteilung): 0,01 ist bei exklusiv genutzten GPUs üblich.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>How long one thread of a host takes to read and decode an example. Each example is then copied to its device, one byte per element.</source>
        <translation>Wie lange ein Thread eines Hosts braucht, um ein Beispiel zu lesen und zu dekodieren. Danach wird jedes Beispiel auf sein Gerät kopiert, ein Byte je Element.</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>Dekodieren</translation>
    </message>
    <message>
        <source>%1 (usual)</source>
        <translation>%1 (üblich)</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>the usual one</source>
        <translation>die übliche</translation>
    </message>
    <message>
        <source>%1 GB/s per direction nominal, %2 effective</source>
        <translation>nominal %1 GB/s je Richtung, effektiv %2</translation>
    </message>
    <message>
        <source>%1 GB/s effective</source>
        <translation>%1 GB/s effektiv</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>Partitioner</source>
        <translation>Partitionierer</translation>
    </message>
    <message>
        <source>Reducer</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>Bytes per pack</source>
        <translation>Bytes je Paket</translation>
    </message>
    <message>
        <source>Device model</source>
        <translation>Gerätemodell</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Link</translation>
    </message>
    <message>
        <source>Host link</source>
        <translation>Hostlink</translation>
    </message>
    <message>
        <source>Catalogue</source>
        <translation>Katalog</translation>
    </message>
    <message>
        <source>Matmul</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Verlangsamt</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>Data dir</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Train examples</source>
        <translation>Trainingsbeispiele</translation>
    </message>
    <message>
        <source>Test examples</source>
        <translation>Testbeispiele</translation>
    </message>
    <message>
        <source>Shuffle buffer</source>
        <translation>Mischpuffer</translation>
    </message>
    <message>
        <source>Batch per replica</source>
        <translation>Batch je Replikat</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Auto shard</source>
        <translation>Auto-Shard</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Lr scaling</source>
        <translation>Lernratenregel</translation>
    </message>
    <message>
        <source>Warmup epochs</source>
        <translation>Aufwärmepochen</translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation>Verlustreduktion</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Noise scale</source>
        <translation>Rauschskala</translation>
    </message>
    <message>
        <source>Eval every</source>
        <translation>Auswerten alle</translation>
    </message>
    <message>
        <source>Init</source>
        <translation>Startgewichte</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Gewichte speichern</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Laufdatei</translation>
    </message>
    <message>
        <source>Checkpoint dir</source>
        <translation>Checkpoint-Ordner</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>Checkpoint alle</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Replicas in total; for parameter-server: workers with one replica each</source>
        <translation>Replikate insgesamt; bei parameter-server: Worker mit je einem Replikat</translation>
    </message>
    <message>
        <source>Hosts that the replicas are spread over, evenly</source>
        <translation>Hosts, auf die die Replikate gleichmäßig verteilt werden</translation>
    </message>
    <message>
        <source>Parameter servers that hold the variables, round robin</source>
        <translation>Parameterserver, die die Variablen reihum halten</translation>
    </message>
    <message>
        <source>How parameter-server variables are cut along axis 0: none, fixed:N, min-size:BYTES, max-size:BYTES</source>
        <translation>Wie Variablen für parameter-server entlang Achse 0 geteilt werden: none, fixed:N, min-size:BYTES, max-size:BYTES</translation>
    </message>
    <message>
        <source>How gradients are added over the replicas</source>
        <translation>Wie Gradienten über die Replikate addiert werden</translation>
    </message>
    <message>
        <source>Gradients are packed for the all-reduce; a new pack begins when one holds more than this; 0: one pack</source>
        <translation>Gradienten werden für das All-Reduce gepackt; ein neues Paket beginnt, wenn eines mehr als dies enthält; 0: ein Paket</translation>
    </message>
    <message>
        <source>Simulated device, a key of the hardware catalogue</source>
        <translation>Simuliertes Gerät, ein Schlüssel des Hardwarekatalogs</translation>
    </message>
    <message>
        <source>Simulated link between devices of one host, a key of the hardware catalogue</source>
        <translation>Simulierter Link zwischen Geräten eines Hosts, ein Schlüssel des Hardwarekatalogs</translation>
    </message>
    <message>
        <source>Simulated link between hosts, a key of the hardware catalogue</source>
        <translation>Simulierter Link zwischen Hosts, ein Schlüssel des Hardwarekatalogs</translation>
    </message>
    <message>
        <source>Custom devices and links (CSV), in the columns of the built-in catalogue; a row with an existing key replaces the built-in one</source>
        <translation>Eigene Geräte und Links (CSV), in den Spalten des eingebauten Katalogs; eine Zeile mit vorhandenem Schlüssel ersetzt die eingebaute</translation>
    </message>
    <message>
        <source>Operands of convolutions and matrix products; sums are float32; auto: bfloat16 on tpu, else float32</source>
        <translation>Operanden von Faltungen und Matrixprodukten; Summen sind float32; auto: bfloat16 auf tpu, sonst float32</translation>
    </message>
    <message>
        <source>A straggler, REPLICA:FACTOR: this replica&apos;s modelled computation takes FACTOR times as long; repeatable</source>
        <translation>Ein Nachzügler, REPLIKAT:FAKTOR: Die modellierte Rechnung dieses Replikats dauert FAKTOR-mal so lange; wiederholbar</translation>
    </message>
    <message>
        <source>Threads that compute; their number never changes the results</source>
        <translation>Threads, die rechnen; ihre Zahl ändert nie die Ergebnisse</translation>
    </message>
    <message>
        <source>Use only the first N training examples</source>
        <translation>Nur die ersten N Trainingsbeispiele verwenden</translation>
    </message>
    <message>
        <source>Use only the first N test examples</source>
        <translation>Nur die ersten N Testbeispiele verwenden</translation>
    </message>
    <message>
        <source>Examples in the shuffle buffer; 0: file order</source>
        <translation>Beispiele im Mischpuffer; 0: Reihenfolge der Datei</translation>
    </message>
    <message>
        <source>Examples that one replica gets in a step</source>
        <translation>Beispiele, die ein Replikat in einem Schritt bekommt</translation>
    </message>
    <message>
        <source>Examples in a step, over all replicas; give this or --batch-per-replica</source>
        <translation>Beispiele in einem Schritt, über alle Replikate; entweder dies oder --batch-per-replica angeben</translation>
    </message>
    <message>
        <source>How the examples are sharded over hosts</source>
        <translation>Wie die Beispiele auf die Hosts verteilt werden</translation>
    </message>
    <message>
        <source>Files that the examples are stored in, for --split file</source>
        <translation>Dateien, in denen die Beispiele liegen, für --split file</translation>
    </message>
    <message>
        <source>How many times to train on all training examples</source>
        <translation>Wie oft auf allen Trainingsbeispielen trainiert wird</translation>
    </message>
    <message>
        <source>Keras&apos;s Adam or SGD</source>
        <translation>Adam oder SGD von Keras</translation>
    </message>
    <message>
        <source>Learning rate, before --lr-scaling</source>
        <translation>Lernrate, vor --lr-scaling</translation>
    </message>
    <message>
        <source>Momentum of sgd</source>
        <translation>Momentum von sgd</translation>
    </message>
    <message>
        <source>Epochs over which the learning rate rises linearly to its value: from the unscaled rate, or from 0 where it is not scaled up</source>
        <translation>Epochen, über die die Lernrate linear auf ihren Wert steigt: von der unskalierten Rate, oder von 0, wo sie nicht hochskaliert wird</translation>
    </message>
    <message>
        <source>Seed of the initial weights and of the shuffling</source>
        <translation>Seed der Startgewichte und des Mischens</translation>
    </message>
    <message>
        <source>Measure the gradient noise scale in every step, from the gradients of two replicas or more</source>
        <translation>In jedem Schritt die Rauschskala der Gradienten messen, aus den Gradienten von mindestens zwei Replikaten</translation>
    </message>
    <message>
        <source>Steps between evaluations on the test images; 0: never</source>
        <translation>Schritte zwischen Auswertungen auf den Testbildern; 0: nie</translation>
    </message>
    <message>
        <source>Write every step&apos;s metrics to this file (JSON lines)</source>
        <translation>Die Metriken jedes Schritts in diese Datei schreiben (JSON-Zeilen)</translation>
    </message>
    <message>
        <source>Write a Chrome trace to this file, for Perfetto</source>
        <translation>Einen Chrome-Trace in diese Datei schreiben, für Perfetto</translation>
    </message>
    <message>
        <source>Write a run file, which the window opens</source>
        <translation>Eine Laufdatei schreiben, die das Fenster öffnet</translation>
    </message>
    <message>
        <source>Steps between checkpoints</source>
        <translation>Schritte zwischen Checkpoints</translation>
    </message>
    <message>
        <source>Continue from the newest checkpoint in --checkpoint-dir; the result has the same bits as that of a run that never stopped</source>
        <translation>Vom neuesten Checkpoint in --checkpoint-dir fortsetzen; das Ergebnis hat dieselben Bits wie das eines Laufs ohne Unterbrechung</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>halving-doubling</source>
        <translation>Halbieren-Verdoppeln</translation>
    </message>
    <message>
        <source>hierarchical</source>
        <translation>hierarchisch</translation>
    </message>
    <message>
        <source>torus</source>
        <translation>Torus</translation>
    </message>
    <message>
        <source>one-device</source>
        <translation>ein Gerät</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>sqrt</source>
        <translation>Wurzel</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>Ziffern</translation>
    </message>
    <message>
        <source>in-memory</source>
        <translation>im Speicher</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>true</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>false</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>once an epoch</source>
        <translation>je Epoche</translation>
    </message>
    <message>
        <source>standard folders</source>
        <translation>übliche Orte</translation>
    </message>
    <message>
        <source>batch-per-replica × replicas</source>
        <translation>Batch je Replikat × Replikate</translation>
    </message>
    <message>
        <source>Default strategy</source>
        <translation>Standardstrategie</translation>
    </message>
    <message>
        <source>No distribution: the program runs as it is written, on one device.</source>
        <translation>Keine Verteilung: Das Programm läuft, wie es dasteht, auf einem Gerät.</translation>
    </message>
    <message>
        <source>Everything is pinned to one named device, through the same interface as the others.</source>
        <translation>Alles ist an ein benanntes Gerät gebunden, über dieselbe Schnittstelle wie bei den anderen.</translation>
    </message>
    <message>
        <source>Every device of one machine keeps its own copy of the weights; gradients are summed by an all-reduce.</source>
        <translation>Jedes Gerät eines Rechners hält eine eigene Kopie der Gewichte; ein All-Reduce summiert die Gradienten.</translation>
    </message>
    <message>
        <source>Mirrored over several machines: the all-reduce goes over the network as well.</source>
        <translation>Gespiegelt über mehrere Rechner: Das All-Reduce geht auch über das Netzwerk.</translation>
    </message>
    <message>
        <source>TPU cores run one program in lock-step and sum gradients over their own torus, with bfloat16 operands.</source>
        <translation>TPU-Kerne führen im Gleichschritt ein Programm aus und summieren Gradienten über ihren eigenen Torus, mit Operanden in bfloat16.</translation>
    </message>
    <message>
        <source>The only copy of the weights is on the host; devices read it, and it is updated once a step.</source>
        <translation>Die einzige Kopie der Gewichte liegt auf dem Host; Geräte lesen sie, und sie wird je Schritt einmal aktualisiert.</translation>
    </message>
    <message>
        <source>Workers pull weights from parameter servers and push gradients back, each at its own pace.</source>
        <translation>Worker holen Gewichte von Parameterservern und schicken Gradienten zurück, jeder im eigenen Tempo.</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>all-reduce</source>
        <translation>All-Reduce</translation>
    </message>
    <message>
        <source>broadcast</source>
        <translation>Broadcast</translation>
    </message>
    <message>
        <source>pull weights</source>
        <translation>Gewichte holen</translation>
    </message>
    <message>
        <source>push gradients</source>
        <translation>Gradienten schicken</translation>
    </message>
    <message>
        <source>add gradients</source>
        <translation>Gradienten addieren</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>wait for replicas</source>
        <translation>auf Replikate warten</translation>
    </message>
    <message>
        <source>wait for input</source>
        <translation>auf Eingabe warten</translation>
    </message>
    <message>
        <source>wait for server</source>
        <translation>auf Server warten</translation>
    </message>
    <message>
        <source>resolve cluster</source>
        <translation>Cluster auflösen</translation>
    </message>
    <message>
        <source>connect to cluster</source>
        <translation>mit Cluster verbinden</translation>
    </message>
    <message>
        <source>initialise TPU system</source>
        <translation>TPU-System initialisieren</translation>
    </message>
    <message>
        <source>construct strategy</source>
        <translation>Strategie erzeugen</translation>
    </message>
    <message>
        <source>create variables</source>
        <translation>Variablen anlegen</translation>
    </message>
    <message>
        <source>wait for weights</source>
        <translation>auf Gewichte warten</translation>
    </message>
    <message>
        <source>pulls and pushes</source>
        <translation>Holen und Schicken</translation>
    </message>
    <message>
        <source>parameter device</source>
        <translation>Parametergerät</translation>
    </message>
    <message>
        <source>input pipeline</source>
        <translation>Eingabe-Pipeline</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>gemeinsamer Speicher</translation>
    </message>
    <message>
        <source>host memory to GPU</source>
        <translation>Hostspeicher zur GPU</translation>
    </message>
    <message>
        <source>GPU to GPU</source>
        <translation>GPU zu GPU</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>Replikat %1</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>parameter server %1</source>
        <translation>Parameterserver %1</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>memory of GPU %1</source>
        <translation>Speicher von GPU %1</translation>
    </message>
    <message>
        <source>%1 forward</source>
        <translation>%1 vorwärts</translation>
    </message>
    <message>
        <source>%1 backward</source>
        <translation>%1 rückwärts</translation>
    </message>
    <message>
        <source>a whole number from %1 to %2</source>
        <translation>eine ganze Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>a number from %1 to %2</source>
        <translation>eine Zahl von %1 bis %2</translation>
    </message>
    <message>
        <source>the CUDA module &apos;%1&apos; is missing: the program was built without the CUDA toolkit, or installed without that file</source>
        <translation>das CUDA-Modul „%1“ fehlt: Das Programm wurde ohne das CUDA-Toolkit gebaut oder ohne diese Datei installiert</translation>
    </message>
    <message>
        <source>the CUDA module &apos;%1&apos; cannot be opened: %2</source>
        <translation>das CUDA-Modul „%1“ kann nicht geöffnet werden: %2</translation>
    </message>
    <message>
        <source>GPUs cannot be used: %1. Use --devices simulated or --devices cpu.</source>
        <translation>GPUs können nicht verwendet werden: %1. Verwenden Sie --devices simulated oder --devices cpu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a valid IDX file of %2: %3 Fetch or copy the file again.</source>
        <translation>„%1“ ist keine gültige IDX-Datei (%2): %3 Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds %2 images and &apos;%3&apos; holds %4 labels. Put two files of one set there.</source>
        <translation>„%1“ enthält %2 Bilder und „%3“ %4 Labels. Legen Sie zwei Dateien eines Satzes dorthin.</translation>
    </message>
    <message>
        <source>cannot open &apos;%1&apos;: %2. Check the name and the permissions.</source>
        <translation>„%1“ kann nicht geöffnet werden: %2. Prüfen Sie Namen und Rechte.</translation>
    </message>
    <message>
        <source>cannot write &apos;%1&apos;: %2. Check that the folder exists, may be written to and has room, or name another file.</source>
        <translation>„%1“ kann nicht geschrieben werden: %2. Prüfen Sie, ob der Ordner da ist, beschrieben werden darf und Platz hat, oder nennen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>cannot write &apos;%1&apos;: it is a folder. Name a file.</source>
        <translation>„%1“ kann nicht geschrieben werden: Es ist ein Ordner. Nennen Sie eine Datei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a folder, not a file. Name a file inside it.</source>
        <translation>„%1“ ist ein Ordner, keine Datei. Nennen Sie eine Datei darin.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is larger than %2, larger than any valid file of its kind. Name the right file.</source>
        <translation>„%1“ ist größer als %2, größer als jede gültige Datei dieser Art. Nennen Sie die richtige Datei.</translation>
    </message>
    <message>
        <source>reading &apos;%1&apos; failed: %2. Check the disk.</source>
        <translation>„%1“ konnte nicht gelesen werden: %2. Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>%1: not valid JSON at byte %2. The file is damaged or of another kind; get it again or name another one.</source>
        <translation>%1: ab Byte %2 kein gültiges JSON. Die Datei ist beschädigt oder von anderer Art; holen Sie sie neu oder nennen Sie eine andere.</translation>
    </message>
    <message>
        <source>%1: not valid JSON. The file is damaged or of another kind; get it again or name another one.</source>
        <translation>%1: kein gültiges JSON. Die Datei ist beschädigt oder von anderer Art; holen Sie sie neu oder nennen Sie eine andere.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; ends too early: the recording was cut off. Record the run again.</source>
        <translation>„%1“ endet zu früh: Die Aufzeichnung wurde abgeschnitten. Zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>%1: this is not a run file. Name a file that was written with --run.</source>
        <translation>%1: Das ist keine Laufdatei. Nennen Sie eine Datei, die mit --run geschrieben wurde.</translation>
    </message>
    <message>
        <source>%1: the file was written by a newer StrategyLab (version %2 of the format, and this program reads %3). Update StrategyLab or record the run again.</source>
        <translation>%1: Die Datei stammt von einem neueren StrategyLab (Version %2 des Formats; dieses Programm liest %3). Aktualisieren Sie StrategyLab oder zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>this text has no link to an experiment. Such a link begins with &apos;%1&apos;. Copy one with File &gt; Copy experiment link.</source>
        <translation>In diesem Text steht kein Link zu einem Experiment. Ein solcher Link beginnt mit „%1“. Kopieren Sie einen mit Datei &gt; Link zum Experiment kopieren.</translation>
    </message>
    <message>
        <source>this link is longer than any link to an experiment. Copy it again.</source>
        <translation>Dieser Link ist länger als jeder Link zu einem Experiment. Kopieren Sie ihn neu.</translation>
    </message>
    <message>
        <source>the part &apos;%1&apos; of this link has no value. Copy the whole link.</source>
        <translation>Der Teil „%1“ dieses Links hat keinen Wert. Kopieren Sie den ganzen Link.</translation>
    </message>
    <message>
        <source>%1 devices cannot be simulated. Give 1 to %2.</source>
        <translation>%1 Geräte lassen sich nicht simulieren. Geben Sie 1 bis %2 an.</translation>
    </message>
    <message>
        <source>%1 devices cannot be spread evenly over %2 hosts. Choose a number of hosts that divides the devices.</source>
        <translation>%1 Geräte lassen sich nicht gleichmäßig auf %2 Hosts verteilen. Wählen Sie eine Zahl von Hosts, die die Geräte teilt.</translation>
    </message>
    <message>
        <source>%1 replicas do not fit on a cluster of %2 devices. Give it more devices, or fewer replicas.</source>
        <translation>%1 Replikate passen nicht auf einen Cluster mit %2 Geräten. Geben Sie ihm mehr Geräte oder weniger Replikate.</translation>
    </message>
    <message>
        <source>it has more than %1 devices, too many to simulate. Give fewer.</source>
        <translation>er hat mehr als %1 Geräte, zu viele zum Simulieren. Geben Sie weniger an.</translation>
    </message>
    <message>
        <source>each host of &apos;%1&apos; has %2 devices. Give it 1 to %3.</source>
        <translation>Jeder Host von „%1“ hat %2 Geräte. Geben Sie ihm 1 bis %3.</translation>
    </message>
    <message>
        <source>each host of &apos;%1&apos; has %2 NICs. Give it 1 to %3.</source>
        <translation>Jeder Host von „%1“ hat %2 NICs. Geben Sie ihm 1 bis %3.</translation>
    </message>
    <message>
        <source>step %1 is not stored, since this run resumed at step %2. Choose a later step.</source>
        <translation>Schritt %1 ist nicht gespeichert, denn dieser Lauf wurde ab Schritt %2 fortgesetzt. Wählen Sie einen späteren Schritt.</translation>
    </message>
    <message>
        <source>there is no NVIDIA driver on this machine (libcuda.so.1 cannot be opened)</source>
        <translation>es gibt keinen NVIDIA-Treiber auf diesem Rechner (libcuda.so.1 lässt sich nicht öffnen)</translation>
    </message>
    <message>
        <source>the NVIDIA driver is installed, but it finds no GPU</source>
        <translation>der NVIDIA-Treiber ist installiert, findet aber keine GPU</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>&apos;%1&apos; and &apos;%2&apos; have the same number of %3, so it is unclear which ones are for training. Put &apos;train&apos; and &apos;test&apos; into the file names.</source>
        <translation>„%1“ und „%2“ enthalten gleich viele %3, darum ist unklar, welche zum Trainieren sind. Nehmen Sie „train“ und „test“ in die Dateinamen auf.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; lacks %2 (with or without .gz). A data set is four IDX files: training images and labels, test images and labels. If the files have other names, give all four.</source>
        <translation>In „%1“ fehlt: %2 (mit oder ohne .gz). Ein Datensatz sind vier IDX-Dateien: Bilder und Labels zum Trainieren, Bilder und Labels zum Testen. Haben die Dateien andere Namen, geben Sie alle vier an.</translation>
    </message>
    <message>
        <source>these are %1 files. A data set is four IDX files: training images and labels, test images and labels. Give these four, or a folder with them.</source>
        <translation>Das sind %1 Dateien. Ein Datensatz sind vier IDX-Dateien: Bilder und Labels zum Trainieren, Bilder und Labels zum Testen. Geben Sie diese vier an oder einen Ordner damit.</translation>
    </message>
    <message>
        <source>%1 of these files hold images and %2 hold labels. A data set is four IDX files: training images and labels, test images and labels.</source>
        <translation>Von diesen Dateien enthalten %1 Bilder und %2 Labels. Ein Datensatz sind vier IDX-Dateien: Bilder und Labels zum Trainieren, Bilder und Labels zum Testen.</translation>
    </message>
    <message>
        <source>cannot make the folder &apos;%1&apos;: %2. Check the permissions of your home folder.</source>
        <translation>Der Ordner „%1“ kann nicht angelegt werden: %2. Prüfen Sie die Rechte Ihres persönlichen Ordners.</translation>
    </message>
    <message>
        <source>cannot make the folder &apos;%1&apos;: %2. Name a folder that may be written to.</source>
        <translation>Der Ordner „%1“ kann nicht angelegt werden: %2. Nennen Sie einen Ordner, der beschrieben werden darf.</translation>
    </message>
    <message>
        <source>there is a file of that name</source>
        <translation>Eine Datei heißt schon so</translation>
    </message>
    <message>
        <source>cannot write &apos;%1&apos;: %2. Check that the folder may be written to and the disk has room, or name another folder.</source>
        <translation>„%1“ kann nicht geschrieben werden: %2. Prüfen Sie, ob der Ordner beschrieben werden darf und der Datenträger Platz hat, oder nennen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>cannot write &apos;%1&apos;: %2. Check the folder&apos;s permissions, or name another folder.</source>
        <translation>„%1“ kann nicht geschrieben werden: %2. Prüfen Sie die Rechte des Ordners, oder nennen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>cannot fetch %1 of %2:%3
Check the network connection and fetch it again; it continues where it stopped.</source>
        <translation>%1 von %2 kann nicht geladen werden:%3
Prüfen Sie die Netzverbindung und laden Sie noch einmal; es geht weiter, wo es aufgehört hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is in the way: %2 Move it away, then fetch again.</source>
        <translation>„%1“ ist im Weg: %2 Verschieben Sie die Datei, dann laden Sie noch einmal.</translation>
    </message>
    <message>
        <source>it has %1 bytes instead of %2.</source>
        <translation>Sie hat %1 Bytes statt %2.</translation>
    </message>
    <message>
        <source>it is shorter than its header.</source>
        <translation>Sie ist kürzer als ihr Kopf.</translation>
    </message>
    <message>
        <source>it holds images.</source>
        <translation>Sie enthält Bilder.</translation>
    </message>
    <message>
        <source>it holds labels.</source>
        <translation>Sie enthält Labels.</translation>
    </message>
    <message>
        <source>it holds no examples.</source>
        <translation>Sie enthält keine Beispiele.</translation>
    </message>
    <message>
        <source>it starts with %1 instead of %2.</source>
        <translation>Sie beginnt mit %1 statt mit %2.</translation>
    </message>
    <message>
        <source>its header says %1 examples, but at most %2 can be read.</source>
        <translation>Ihr Kopf nennt %1 Beispiele, aber höchstens %2 werden gelesen.</translation>
    </message>
    <message>
        <source>its header says %1 examples, but it has bytes for only %2.</source>
        <translation>Ihr Kopf nennt %1 Beispiele, aber die Bytes reichen nur für %2.</translation>
    </message>
    <message>
        <source>more bytes follow the %1 examples that its header announces.</source>
        <translation>Nach den %1 Beispielen, die ihr Kopf nennt, folgen weitere Bytes.</translation>
    </message>
    <message>
        <source>its images are %1×%2, but only 28×28 can be read.</source>
        <translation>Ihre Bilder sind %1×%2, aber nur 28×28 werden gelesen.</translation>
    </message>
    <message>
        <source>label %1 is %2, not one of 0 to 9.</source>
        <translation>Label %1 ist %2, keines von 0 bis 9.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is cut short: its gzip stream has no end. Fetch or copy the file again.</source>
        <translation>„%1“ ist abgeschnitten: Der gzip-Strom hat kein Ende. Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has bytes after the end of its gzip stream. Fetch or copy the file again.</source>
        <translation>„%1“ hat Bytes nach dem Ende des gzip-Stroms. Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is damaged: its gzip stream cannot be unpacked (%2). Fetch or copy the file again.</source>
        <translation>„%1“ ist beschädigt: Der gzip-Strom lässt sich nicht entpacken (%2). Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; unpacks to more than %2, more than any valid file of its kind. Fetch or copy the right file.</source>
        <translation>„%1“ ist entpackt größer als %2, größer als jede gültige Datei dieser Art. Laden oder kopieren Sie die richtige Datei.</translation>
    </message>
    <message>
        <source>not enough memory to unpack &apos;%1&apos;. Close other programs and try again.</source>
        <translation>Der Speicher reicht nicht, um „%1“ zu entpacken. Schließen Sie andere Programme und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a CUDA module of this program: build both together</source>
        <translation>„%1“ ist kein CUDA-Modul dieses Programms: Bauen Sie beide zusammen</translation>
    </message>
    <message>
        <source>the CUDA module beside the program is of another build (%1 instead of %2): build both together</source>
        <translation>das CUDA-Modul neben dem Programm stammt aus einem anderen Bau (%1 statt %2): Bauen Sie beide zusammen</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old: it supports CUDA %1, and CUDA %2 is needed (driver 580 or newer)</source>
        <translation>der NVIDIA-Treiber ist zu alt: Er unterstützt CUDA %1, nötig ist CUDA %2 (Treiber 580 oder neuer)</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES=&quot;%1&quot; leaves no GPU visible</source>
        <translation>CUDA_VISIBLE_DEVICES=„%1“ lässt keine GPU sichtbar</translation>
    </message>
    <message>
        <source>CUDA does not start: %1; restart the machine if its driver was updated</source>
        <translation>CUDA startet nicht: %1; starten Sie den Rechner neu, wenn sein Treiber aktualisiert wurde</translation>
    </message>
    <message>
        <source>CUDA does not start: %1; check whether nvidia-fabricmanager is running</source>
        <translation>CUDA startet nicht: %1; prüfen Sie, ob nvidia-fabricmanager läuft</translation>
    </message>
    <message>
        <source>CUDA does not start: %1</source>
        <translation>CUDA startet nicht: %1</translation>
    </message>
    <message>
        <source>this build has no code for %1, compute capability %2. Build again with that capability in STRATEGYLAB_CUDA_ARCHITECTURES.</source>
        <translation>dieser Bau hat keinen Code für %1, Compute Capability %2. Bauen Sie noch einmal, mit dieser in STRATEGYLAB_CUDA_ARCHITECTURES.</translation>
    </message>
    <message>
        <source>the memory of %1 is used up: %2 more were needed, but only %3 are free. Lower --batch-per-replica or --replicas, or end other programs on that GPU.</source>
        <translation>der Speicher von %1 ist voll: %2 mehr waren nötig, nur %3 sind frei. Senken Sie --batch-per-replica oder --replicas, oder beenden Sie andere Programme auf dieser GPU.</translation>
    </message>
    <message>
        <source>the memory of %1 is used up (%2). Lower --batch-per-replica or --replicas, or end other programs on that GPU.</source>
        <translation>der Speicher von %1 ist voll (%2). Senken Sie --batch-per-replica oder --replicas, oder beenden Sie andere Programme auf dieser GPU.</translation>
    </message>
    <message>
        <source>%1 cannot be used now (%2): another program may be using it alone. End that program, or let several programs share the GPU with `nvidia-smi -c 0`.</source>
        <translation>%1 ist jetzt nicht zu benutzen (%2): Ein anderes Programm nutzt sie womöglich allein. Beenden Sie es, oder lassen Sie mit `nvidia-smi -c 0` mehrere Programme auf die GPU.</translation>
    </message>
    <message>
        <source>the system provides no more page-locked memory: %1 were needed. Lower --batch-per-replica or --replicas, or raise the limit (ulimit -l).</source>
        <translation>das System gibt keinen weiteren seitengesperrten Speicher (page-locked): %1 waren nötig. Senken Sie --batch-per-replica oder --replicas, oder erhöhen Sie die Grenze (ulimit -l).</translation>
    </message>
    <message>
        <source>the NCCL library has no %1: install NCCL 2.27 or newer for CUDA 13</source>
        <translation>der NCCL-Bibliothek fehlt %1: Installieren Sie NCCL 2.27 oder neuer für CUDA 13</translation>
    </message>
    <message>
        <source>NCCL failed in %1: %2. Set NCCL_DEBUG=WARN to see more, or train with --reducer ring.</source>
        <translation>NCCL ist in %1 fehlgeschlagen: %2. Mit NCCL_DEBUG=WARN sehen Sie mehr; oder trainieren Sie mit --reducer ring.</translation>
    </message>
    <message>
        <source>a kernel of the CUDA module wrote outside its output: do not train with this build, report it.</source>
        <translation>ein Kernel des CUDA-Moduls hat außerhalb seiner Ausgabe geschrieben: Trainieren Sie mit diesem Bau nicht, und melden Sie es.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a StrategyLab checkpoint. Name another --checkpoint-dir, or load plain weights with --init.</source>
        <translation>„%1“ ist kein Checkpoint von StrategyLab. Nennen Sie ein anderes --checkpoint-dir, oder laden Sie bloße Gewichte mit --init.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a checkpoint of version %2, and this program reads version %3. Use the program that wrote it.</source>
        <translation>„%1“ ist ein Checkpoint der Version %2, dieses Programm liest Version %3. Nehmen Sie das Programm, das ihn geschrieben hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is damaged: its checksum does not match. Delete it to resume from an older checkpoint.</source>
        <translation>„%1“ ist beschädigt: Die Prüfsumme stimmt nicht. Löschen Sie ihn, um von einem älteren Checkpoint fortzusetzen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is damaged: its description is not JSON. Delete it to resume from an older checkpoint.</source>
        <translation>„%1“ ist beschädigt: Die Beschreibung ist kein JSON. Löschen Sie ihn, um von einem älteren Checkpoint fortzusetzen.</translation>
    </message>
    <message>
        <source>there is no checkpoint in &apos;%1&apos;. Name the right --checkpoint-dir, or leave --resume out.</source>
        <translation>in „%1“ ist kein Checkpoint. Nennen Sie das richtige --checkpoint-dir, oder lassen Sie --resume weg.</translation>
    </message>
    <message>
        <source>the checkpoint in &apos;%1&apos; was written with other training examples (%2). Name the same --dataset and --data-dir, or start over without --resume.</source>
        <translation>der Checkpoint in „%1“ wurde mit anderen Trainingsbeispielen geschrieben (%2). Nennen Sie dasselbe --dataset und --data-dir, oder beginnen Sie ohne --resume von vorn.</translation>
    </message>
    <message>
        <source>the checkpoint in &apos;%1&apos; has numbers in &apos;%2&apos; that are not finite: the run had diverged. Start over without --resume, with a lower --learning-rate.</source>
        <translation>der Checkpoint in „%1“ hat in „%2“ Zahlen, die nicht endlich sind: Der Lauf war divergiert. Beginnen Sie ohne --resume von vorn, mit kleinerer --learning-rate.</translation>
    </message>
    <message>
        <source>the checkpoint in &apos;%1&apos; does not fit this run (%2). Delete it, or start over without --resume.</source>
        <translation>der Checkpoint in „%1“ passt nicht zu diesem Lauf (%2). Löschen Sie ihn, oder beginnen Sie ohne --resume von vorn.</translation>
    </message>
    <message>
        <source>the run has more steps than a run file holds. Train for fewer steps or leave --run out.</source>
        <translation>der Lauf hat mehr Schritte, als eine Laufdatei fasst. Trainieren Sie weniger Schritte, oder lassen Sie --run weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no tensor &apos;%2&apos; of shape %3. Name a file with the weights of this network.</source>
        <translation>„%1“ hat keinen Tensor „%2“ der Form %3. Nennen Sie eine Datei mit den Gewichten dieses Netzes.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has a tensor &apos;%2&apos; of shape %3 where this network&apos;s is %4. Name a file with the weights of this network.</source>
        <translation>„%1“ hat einen Tensor „%2“ der Form %3, der dieses Netzes hat die Form %4. Nennen Sie eine Datei mit den Gewichten dieses Netzes.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has a tensor &apos;%2&apos; whose element %3 is not a finite number. Name a file of weights from a run that did not diverge.</source>
        <translation>„%1“ hat einen Tensor „%2“, dessen Element %3 keine endliche Zahl ist. Nennen Sie eine Datei mit Gewichten aus einem Lauf, der nicht divergiert ist.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has a tensor &apos;%2&apos; that this network does not have. Name a file with the weights of this network.</source>
        <translation>„%1“ hat einen Tensor „%2“, den dieses Netz nicht hat. Nennen Sie eine Datei mit den Gewichten dieses Netzes.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; %2. The file is damaged or of another kind; name a whole safetensors file of F32 tensors.</source>
        <translation>„%1“ %2. Die Datei ist beschädigt oder von anderer Art; nennen Sie eine ganze safetensors-Datei mit F32-Tensoren.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no column &apos;%2&apos;. Add it to the first line.</source>
        <translation>„%1“ hat keine Spalte „%2“. Fügen Sie sie in der ersten Zeile hinzu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2 (&apos;%3&apos;): the cell &apos;%4&apos; %5</source>
        <translation>„%1“, Zeile %2 („%3“): die Zelle „%4“ %5</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds no devices and no links. Give it a header and rows.</source>
        <translation>„%1“ enthält weder Geräte noch Links. Geben Sie der Datei eine Kopfzeile und Zeilen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2: the row %3</source>
        <translation>„%1“, Zeile %2: die Zeile %3</translation>
    </message>
    <message>
        <source>the setting &apos;%1&apos; is not text, a number, or true or false: correct it.</source>
        <translation>die Einstellung „%1“ ist weder Text noch Zahl noch true oder false: Berichtigen Sie sie.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line 1: the columns are not those of runs. Save values from a chart as CSV and use that file.</source>
        <translation>„%1“, Zeile 1: Die Spalten sind nicht die von Läufen. Speichern Sie die Werte eines Diagramms als CSV und nehmen Sie diese Datei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line 1: no values follow the names of the columns. Save the values as CSV again.</source>
        <translation>„%1“, Zeile 1: Auf die Namen der Spalten folgen keine Werte. Speichern Sie die Werte noch einmal als CSV.</translation>
    </message>
    <message>
        <source>a whole number, not negative</source>
        <translation>eine ganze, nicht negative Zahl</translation>
    </message>
    <message>
        <source>the run has diverged: some of its weights are not finite numbers. Not written: %1. Train again with a lower --learning-rate.</source>
        <translation>Der Lauf ist divergiert: Einige seiner Gewichte sind keine endlichen Zahlen. Nicht geschrieben: %1. Trainieren Sie noch einmal, mit einer kleineren --learning-rate.</translation>
    </message>
    <message>
        <source>the session cannot be stored: its settings, names and notes exceed the size limit (%1). Shorten the notes.</source>
        <translation>Die Sitzung lässt sich nicht speichern: Ihre Einstellungen, Namen und Notizen sind größer als erlaubt (%1). Kürzen Sie die Notizen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the experiment exceeds the size limit (%2). Shorten its note.</source>
        <translation>„%1“: Das Experiment ist größer als erlaubt (%2). Kürzen Sie seine Notiz.</translation>
    </message>
    <message>
        <source>the experiment&apos;s settings are too long for a link. Save the experiment as a file.</source>
        <translation>Die Einstellungen des Experiments sind zu lang für einen Link. Speichern Sie das Experiment als Datei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the run has more devices and links, or longer notes, than a run file holds. Use fewer replicas and servers, or leave --run out.</source>
        <translation>„%1“: Der Lauf hat mehr Geräte und Links oder längere Notizen, als eine Laufdatei fasst. Nehmen Sie weniger Replikate und Server, oder lassen Sie --run weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: %2</source>
        <translation>„%1“: %2</translation>
    </message>
    <message>
        <source>%1: the JSON is nested deeper than %2 levels. Use a file that this program, or another that follows the format, has written.</source>
        <translation>%1: Das JSON ist tiefer als %2 Ebenen verschachtelt. Nehmen Sie eine Datei, die dieses Programm oder ein anderes mit demselben Format geschrieben hat.</translation>
    </message>
    <message>
        <source>%1: the key &apos;%2&apos; appears twice in one object. Remove one of the two.</source>
        <translation>%1: Der Schlüssel „%2“ steht zweimal in einem Objekt. Entfernen Sie einen von beiden.</translation>
    </message>
    <message>
        <source>continues after a closing quote. Put a comma between two cells.</source>
        <translation>geht nach einem schließenden Anführungszeichen weiter. Setzen Sie ein Komma zwischen zwei Zellen.</translation>
    </message>
    <message>
        <source>has a quote inside a cell. Quote the whole cell and double the quotes in it.</source>
        <translation>hat ein Anführungszeichen mitten in einer Zelle. Setzen Sie die ganze Zelle in Anführungszeichen und verdoppeln Sie die inneren.</translation>
    </message>
    <message>
        <source>begins a quoted cell that never ends. Close the quote.</source>
        <translation>beginnt eine Zelle in Anführungszeichen, die nie endet. Schließen Sie das Anführungszeichen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is larger than 16 MiB, too large for a table of this kind. Name another file.</source>
        <translation>„%1“ ist größer als 16 MiB, zu groß für eine solche Tabelle. Nennen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>this system&apos;s OpenSSL refuses to compute %1 checksums. Allow it in OpenSSL&apos;s configuration, or compare the files by other means.</source>
        <translation>OpenSSL auf diesem System weigert sich, Prüfsummen nach %1 zu berechnen. Erlauben Sie es in der Konfiguration von OpenSSL oder vergleichen Sie die Dateien auf andere Weise.</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos;</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2</source>
        <translation>„%1“, Zeile %2</translation>
    </message>
    <message>
        <source>unknown %1 &apos;%2&apos;. One of: %3</source>
        <translation>%1 „%2“ gibt es nicht. Möglich sind: %3</translation>
    </message>
    <message>
        <source>unknown %1 &apos;%2&apos;: did you mean &apos;%3&apos;? One of: %4</source>
        <translation>%1 „%2“ gibt es nicht: Meinten Sie „%3“? Möglich sind: %4</translation>
    </message>
    <message>
        <source>%1. Name one of these.</source>
        <translation>%1. Nennen Sie eines davon.</translation>
    </message>
    <message>
        <source>the checkpoint was written by an older version, whose modelled time put the workers&apos; updates in another order. Start over without --resume.</source>
        <translation>der Checkpoint stammt von einer älteren Version, deren modellierte Zeit die Updates der Worker anders ordnete. Beginnen Sie neu ohne --resume.</translation>
    </message>
    <message>
        <source>an all-reduce over %1 ranks is too large to simulate: use at most %2 ranks</source>
        <translation>ein All-Reduce über %1 Ränge ist zu groß für die Simulation: Nehmen Sie höchstens %2 Ränge</translation>
    </message>
    <message>
        <source>an all-reduce of %1 elements is too large to simulate: use at most %2 elements</source>
        <translation>ein All-Reduce von %1 Elementen ist zu groß für die Simulation: Nehmen Sie höchstens %2 Elemente</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a valid mnist.npz: %2 Fetch or copy the file again.</source>
        <translation>„%1“ ist keine gültige mnist.npz: %2 Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>it cannot be opened as a zip file (%1).</source>
        <translation>sie lässt sich nicht als Zip-Datei öffnen (%1).</translation>
    </message>
    <message>
        <source>it has no array %1.</source>
        <translation>sie hat kein Array %1.</translation>
    </message>
    <message>
        <source>%1 cannot be read (%2).</source>
        <translation>%1 lässt sich nicht lesen (%2).</translation>
    </message>
    <message>
        <source>%1 has elements of type &apos;%2&apos; instead of %3</source>
        <translation>%1 hat Elemente vom Typ „%2“ statt %3</translation>
    </message>
    <message>
        <source>%1 is not in C order.</source>
        <translation>%1 ist nicht in C-Reihenfolge.</translation>
    </message>
    <message>
        <source>%1 does not have the shape %2</source>
        <translation>%1 hat nicht die Form %2</translation>
    </message>
    <message>
        <source>%1 has %2 examples instead of 1 to %3.</source>
        <translation>%1 hat %2 Beispiele statt 1 bis %3.</translation>
    </message>
    <message>
        <source>%1 is damaged (%2).</source>
        <translation>%1 ist beschädigt (%2).</translation>
    </message>
    <message>
        <source>%1 is shorter than its header.</source>
        <translation>%1 ist kürzer als sein Kopf.</translation>
    </message>
    <message>
        <source>%1 is not an .npy array of version 1 to 3.</source>
        <translation>%1 ist kein .npy-Array der Version 1 bis 3.</translation>
    </message>
    <message>
        <source>%1 has a header of %2 bytes.</source>
        <translation>%1 hat einen Kopf von %2 Bytes.</translation>
    </message>
    <message>
        <source>%1 has a header that cannot be read.</source>
        <translation>%1 hat einen Kopf, der sich nicht lesen lässt.</translation>
    </message>
    <message>
        <source>%1 is shorter than its shape says.</source>
        <translation>%1 ist kürzer, als seine Form sagt.</translation>
    </message>
    <message>
        <source>%1 is longer than its shape says.</source>
        <translation>%1 ist länger, als seine Form sagt.</translation>
    </message>
    <message>
        <source>%1 has a label that is not one of 0 to 9, at %2.</source>
        <translation>%1 hat bei %2 ein Label, das nicht 0 bis 9 ist.</translation>
    </message>
    <message>
        <source>epoch %2 has no step %1, since an epoch has %3 steps: continue with the data and batch settings that were saved</source>
        <translation>Epoche %2 hat keinen Schritt %1, denn eine Epoche hat %3 Schritte: Setzen Sie mit den gespeicherten Einstellungen von Daten und Batch fort</translation>
    </message>
    <message>
        <source>there are no training examples: use at least 1</source>
        <translation>es gibt keine Trainingsbeispiele: Nehmen Sie mindestens 1</translation>
    </message>
    <message>
        <source>the shuffle buffer is %1: use 0 for file order, or the number of examples to draw from</source>
        <translation>der Mischpuffer ist %1: Nehmen Sie 0 für die Reihenfolge der Datei oder die Zahl der Beispiele, aus denen gezogen wird</translation>
    </message>
    <message>
        <source>the batch of a worker is %1: use 1 or more</source>
        <translation>der Batch eines Workers ist %1: Nehmen Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>%1 replicas cannot be shared equally by %2 hosts: choose a number of hosts that divides the number of replicas</source>
        <translation>%1 Replikate lassen sich nicht gleichmäßig auf %2 Hosts verteilen: Wählen Sie eine Zahl von Hosts, die die Zahl der Replikate teilt</translation>
    </message>
    <message>
        <source>the examples are stored in %1 file(s), too few for %2 hosts to read different ones (TensorFlow: InvalidArgumentError): use %3 %2 or more, or %4 data</source>
        <translation>die Beispiele liegen in %1 Datei(en), zu wenige, als dass %2 Hosts verschiedene lesen könnten (TensorFlow: InvalidArgumentError): Nehmen Sie %3 %2 oder mehr, oder %4 data</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a folder. Name the folder that holds the data set.</source>
        <translation>„%1“ ist kein Ordner. Nennen Sie den Ordner mit dem Datensatz.</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos; has no meaning for digits: these are built into the program. Leave it out, or choose mnist.</source>
        <translation>%1 „%2“ hat bei digits keinen Sinn: Diese sind im Programm eingebaut. Lassen Sie es weg oder wählen Sie mnist.</translation>
    </message>
    <message>
        <source>data set</source>
        <translation>den Datensatz</translation>
    </message>
    <message>
        <source>%1 is not on this machine. Looked in:%2
Run &apos;strategylab-cli data fetch %1&apos;, or name the folder that holds it with --data-dir.</source>
        <translation>%1 ist nicht auf diesem Rechner. Gesucht in:%2
Rufen Sie „strategylab-cli data fetch %1“ auf oder nennen Sie den Ordner mit --data-dir.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not hold %2. Wanted: %3 (with or without .gz). Looked in:%4
Run &apos;strategylab-cli data fetch %2&apos;, or name the folder that holds it with --data-dir.</source>
        <translation>„%1“ enthält %2 nicht. Gebraucht: %3 (mit oder ohne .gz). Gesucht in:%4
Rufen Sie „strategylab-cli data fetch %2“ auf oder nennen Sie den Ordner mit --data-dir.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not hold %2. Wanted: %3 (with or without .gz) or mnist.npz. Looked in:%4
Run &apos;strategylab-cli data fetch %2&apos;, or name the folder that holds it with --data-dir.</source>
        <translation>„%1“ enthält %2 nicht. Gebraucht: %3 (mit oder ohne .gz) oder mnist.npz. Gesucht in:%4
Rufen Sie „strategylab-cli data fetch %2“ auf oder nennen Sie den Ordner mit --data-dir.</translation>
    </message>
    <message>
        <source>
  %1</source>
        <translation>
  %1</translation>
    </message>
    <message>
        <source>
  %1 (holds %2)</source>
        <translation>
  %1 (enthält %2)</translation>
    </message>
    <message>
        <source>
  %1 (lacks %2)</source>
        <translation>
  %1 (ohne %2)</translation>
    </message>
    <message>
        <source>
  %1 (no such folder)</source>
        <translation>
  %1 (kein solcher Ordner)</translation>
    </message>
    <message>
        <source>%1 %2 is too many: %3 has %4 training examples. Give a number from 1 to %5, or leave the option out for all.</source>
        <translation>%1 %2 ist zu viel: %3 hat %4 Trainingsbeispiele. Geben Sie eine Zahl von 1 bis %5 an oder lassen Sie die Option für alle weg.</translation>
    </message>
    <message>
        <source>%1 %2 is too many: %3 has %4 test examples. Give a number from 1 to %5, or leave the option out for all.</source>
        <translation>%1 %2 ist zu viel: %3 hat %4 Testbeispiele. Geben Sie eine Zahl von 1 bis %5 an oder lassen Sie die Option für alle weg.</translation>
    </message>
    <message>
        <source>it is larger than this file can be (%1)</source>
        <translation>sie ist größer, als diese Datei sein kann (%1)</translation>
    </message>
    <message>
        <source>the server sent a different part of the file from the one requested</source>
        <translation>der Server schickte einen anderen Teil der Datei als verlangt</translation>
    </message>
    <message>
        <source>the server answered %1</source>
        <translation>der Server antwortete %1</translation>
    </message>
    <message>
        <source>nothing arrived for %1 s</source>
        <translation>%1 s lang kam nichts an</translation>
    </message>
    <message>
        <source>
  %1: %2</source>
        <translation>
  %1: %2</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>the global batch is %1: use 1 or more</source>
        <translation>der globale Batch ist %1: Nehmen Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>the number of replicas is %1: use 1 or more</source>
        <translation>die Zahl der Replikate ist %1: Nehmen Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>the number of hosts is %1: use 1 or more</source>
        <translation>die Zahl der Hosts ist %1: Nehmen Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>the number of files is %1: use 1 or more</source>
        <translation>die Zahl der Dateien ist %1: Nehmen Sie 1 oder mehr</translation>
    </message>
    <message>
        <source>its MD5 is %1, and the published file&apos;s is %2.</source>
        <translation>ihre MD5 ist %1, die der veröffentlichten Datei %2.</translation>
    </message>
    <message>
        <source>its content&apos;s SHA-256 is %1, and the published file&apos;s is %2.</source>
        <translation>die SHA-256 ihres Inhalts ist %1, die der veröffentlichten Datei %2.</translation>
    </message>
    <message>
        <source>it differs from the file in the archive beside it.</source>
        <translation>sie weicht von der Datei im Archiv daneben ab.</translation>
    </message>
    <message>
        <source>no checksum of the unpacked file is published; its form is right.</source>
        <translation>von der ausgepackten Datei ist keine Prüfsumme veröffentlicht; ihre Form stimmt.</translation>
    </message>
    <message>
        <source>its %1 are not MNIST&apos;s.</source>
        <translation>%1 darin sind nicht die von MNIST.</translation>
    </message>
    <message>
        <source>it is missing.</source>
        <translation>sie fehlt.</translation>
    </message>
    <message>
        <source>processor path (STRATEGYLAB_CPU_PATH) on this machine</source>
        <translation>den Prozessorpfad (STRATEGYLAB_CPU_PATH) auf diesem Rechner</translation>
    </message>
    <message>
        <source>the run lost %1 (%2). Everything trained since the last checkpoint is lost. Look at `nvidia-smi` and the system&apos;s log for Xid errors, then start the program again, with --resume where there are checkpoints.</source>
        <translation>der Lauf hat %1 verloren (%2). Alles, was seit dem letzten Checkpoint trainiert wurde, ist verloren. Suchen Sie mit `nvidia-smi` und im Systemprotokoll nach Xid-Fehlern und starten Sie das Programm dann neu, mit --resume, wo es Checkpoints gibt.</translation>
    </message>
    <message>
        <source>an unknown, old version</source>
        <translation>eine unbekannte, alte Version</translation>
    </message>
    <message>
        <source>GPU %1: %2</source>
        <translation>GPU %1: %2</translation>
    </message>
    <message>
        <source>GPU %1 (%2) has compute capability %3, but 7.5 or newer is needed</source>
        <translation>GPU %1 (%2) hat Compute Capability %3, aber 7.5 oder neuer ist nötig</translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>; %1</translation>
    </message>
    <message>
        <source>NCCL is missing (%1): install libnccl2 for CUDA 13, or name the library in STRATEGYLAB_NCCL</source>
        <translation>NCCL fehlt (%1): Installieren Sie libnccl2 für CUDA 13 oder nennen Sie die Bibliothek in STRATEGYLAB_NCCL</translation>
    </message>
    <message>
        <source>NCCL %1 is too old: 2.18 or newer is needed, and 2.27 or newer for CUDA 13</source>
        <translation>NCCL %1 ist zu alt: 2.18 oder neuer ist nötig, und 2.27 oder neuer für CUDA 13</translation>
    </message>
    <message>
        <source>is too short for a safetensors file</source>
        <translation>ist zu kurz für eine safetensors-Datei</translation>
    </message>
    <message>
        <source>begins with a header of %1 bytes; at most 1 MiB is accepted</source>
        <translation>beginnt mit einem Kopf von %1 Bytes; höchstens 1 MiB wird angenommen</translation>
    </message>
    <message>
        <source>ends inside its header</source>
        <translation>endet in ihrem Kopf</translation>
    </message>
    <message>
        <source>has a header that does not begin with &apos;{&apos;</source>
        <translation>hat einen Kopf, der nicht mit „{“ beginnt</translation>
    </message>
    <message>
        <source>has a __metadata__ that is not an object</source>
        <translation>hat ein __metadata__, das kein Objekt ist</translation>
    </message>
    <message>
        <source>has a __metadata__ entry &apos;%1&apos; that is not a string</source>
        <translation>hat in __metadata__ einen Eintrag „%1“, der kein Text ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; that is not described by an object</source>
        <translation>hat einen Tensor „%1“, der nicht durch ein Objekt beschrieben ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; whose description is not dtype, shape and data_offsets</source>
        <translation>hat einen Tensor „%1“, dessen Beschreibung nicht dtype, shape und data_offsets ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; whose dtype is not a string</source>
        <translation>hat einen Tensor „%1“, dessen dtype kein Text ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; of dtype %2, but only F32 can be read here</source>
        <translation>hat einen Tensor „%1“ vom dtype %2, aber hier wird nur F32 gelesen</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; whose shape is not a list of at most 16 extents</source>
        <translation>hat einen Tensor „%1“, dessen shape keine Liste von höchstens 16 Ausdehnungen ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; whose shape is not a list of whole numbers, or is too large</source>
        <translation>hat einen Tensor „%1“, dessen shape keine Liste ganzer Zahlen oder zu groß ist</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; whose data_offsets are not two ascending whole numbers</source>
        <translation>hat einen Tensor „%1“, dessen data_offsets nicht zwei aufsteigende ganze Zahlen sind</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; of %2 bytes by its shape and %3 by its offsets</source>
        <translation>hat einen Tensor „%1“ von %2 Bytes nach seiner Form und %3 nach seinen Offsets</translation>
    </message>
    <message>
        <source>has a tensor &apos;%1&apos; at byte %2 of the data, but byte %3 comes next</source>
        <translation>hat einen Tensor „%1“ bei Byte %2 der Daten, wo Byte %3 folgen müsste</translation>
    </message>
    <message>
        <source>holds %1 bytes of data, but its header says %2</source>
        <translation>enthält %1 Bytes Daten, aber ihr Kopf nennt %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, header</source>
        <translation>„%1“, Kopf</translation>
    </message>
    <message>
        <source>cannot create the folder &apos;%1&apos; for checkpoints: %2. Name another --checkpoint-dir.</source>
        <translation>der Ordner „%1“ für Checkpoints lässt sich nicht anlegen: %2. Nennen Sie ein anderes --checkpoint-dir.</translation>
    </message>
    <message>
        <source>has no list of traceEvents, so it is not a Chrome trace</source>
        <translation>hat keine Liste traceEvents, ist also kein Chrome-Trace</translation>
    </message>
    <message>
        <source>was not written by this program (or by a version before traces could be opened again)</source>
        <translation>stammt nicht von diesem Programm (oder von einer Version, die Traces noch nicht wieder öffnen konnte)</translation>
    </message>
    <message>
        <source>does not say whether its times are modelled or measured</source>
        <translation>sagt nicht, ob die Zeiten modelliert oder gemessen sind</translation>
    </message>
    <message>
        <source>has an event without a phase</source>
        <translation>hat ein Ereignis ohne Phase</translation>
    </message>
    <message>
        <source>has no events to show</source>
        <translation>hat keine Ereignisse, die zu zeigen wären</translation>
    </message>
    <message>
        <source>&apos;%1&apos; %2. Open a trace that &apos;Export trace&apos; or --trace has written.</source>
        <translation>„%1“ %2. Öffnen Sie einen Trace, den „Trace exportieren“ oder --trace geschrieben hat.</translation>
    </message>
    <message>
        <source>lacks &apos;%1&apos;</source>
        <translation>hat kein „%1“</translation>
    </message>
    <message>
        <source>has something other than text for &apos;%1&apos;</source>
        <translation>hat für „%1“ etwas anderes als einen Text</translation>
    </message>
    <message>
        <source>has something other than a whole number for &apos;%1&apos;</source>
        <translation>hat für „%1“ etwas anderes als eine ganze Zahl</translation>
    </message>
    <message>
        <source>has a &apos;%1&apos; out of range: %2</source>
        <translation>hat ein „%1“ außerhalb des Bereichs: %2</translation>
    </message>
    <message>
        <source>has a &apos;%1&apos; that is not a time in microseconds</source>
        <translation>hat ein „%1“, das keine Zeit in Mikrosekunden ist</translation>
    </message>
    <message>
        <source>has no list of %1</source>
        <translation>hat keine Liste %1</translation>
    </message>
    <message>
        <source>has a track that does not say whether it is a link</source>
        <translation>hat eine Spur, die nicht sagt, ob sie ein Link ist</translation>
    </message>
    <message>
        <source>has labels that are not text</source>
        <translation>hat Bezeichnungen, die keine Texte sind</translation>
    </message>
    <message>
        <source>names &apos;%1&apos;, which its legend does not have</source>
        <translation>nennt „%1“, das nicht in der Legende steht</translation>
    </message>
    <message>
        <source>has an event of the unknown kind &apos;%1&apos;</source>
        <translation>hat ein Ereignis der unbekannten Art „%1“</translation>
    </message>
    <message>
        <source>&apos;%1&apos; in &apos;view&apos; must be a name. Leave it out, or save the experiment again.</source>
        <translation>„%1“ in „view“ muss ein Name sein. Lassen Sie es weg oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;view&apos; must be an object. Leave it out, or save the experiment again.</source>
        <translation>„view“ muss ein Objekt sein. Lassen Sie es weg oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;step&apos; in &apos;view&apos; must be a whole number from 0. Leave it out, or save the experiment again.</source>
        <translation>„step“ in „view“ muss eine ganze Zahl ab 0 sein. Lassen Sie es weg oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;part&apos; in &apos;view&apos; must be a number from 0 to 1. Leave it out, or save the experiment again.</source>
        <translation>„part“ in „view“ muss eine Zahl von 0 bis 1 sein. Lassen Sie es weg oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>this is not a StrategyLab experiment. Name a file that was saved with File &gt; Save.</source>
        <translation>das ist kein Experiment von StrategyLab. Nennen Sie eine Datei, die mit Datei &gt; Speichern gespeichert wurde.</translation>
    </message>
    <message>
        <source>&apos;version&apos; must be a whole number from 1. Correct the value, or save the experiment again.</source>
        <translation>„version“ muss eine ganze Zahl ab 1 sein. Berichtigen Sie den Wert oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>the file was written by a newer StrategyLab (version %1 of the format, and this program reads %2). Update StrategyLab; the file stays unchanged.</source>
        <translation>die Datei stammt von einem neueren StrategyLab (Version %1 des Formats, und dieses Programm liest %2). Aktualisieren Sie StrategyLab; die Datei bleibt unverändert.</translation>
    </message>
    <message>
        <source>the key &apos;config&apos; with the settings is missing. Save the experiment again.</source>
        <translation>der Schlüssel „config“ mit den Einstellungen fehlt. Speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; %2</source>
        <translation>„%1“ %2</translation>
    </message>
    <message>
        <source>is not compressed with gzip, as run files are. Name a file that was written with --run.</source>
        <translation>ist nicht mit gzip gepackt, wie es Laufdateien sind. Nennen Sie eine Datei, die mit --run geschrieben wurde.</translation>
    </message>
    <message>
        <source>ends too early: the recording was cut off. Record the run again.</source>
        <translation>endet zu früh: Die Aufzeichnung wurde abgeschnitten. Zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>is damaged: its compressed data is not valid. Copy the file again or record the run again.</source>
        <translation>ist beschädigt: Die gepackten Daten sind ungültig. Kopieren Sie die Datei neu oder zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>unpacks to more than the limit of %1. Record a shorter run.</source>
        <translation>ist ausgepackt größer als erlaubt (%1). Zeichnen Sie einen kürzeren Lauf auf.</translation>
    </message>
    <message>
        <source>has more than the limit of %1 lines. Record a shorter run.</source>
        <translation>hat mehr als die erlaubten %1 Zeilen. Zeichnen Sie einen kürzeren Lauf auf.</translation>
    </message>
    <message>
        <source>is longer than %2 in line %1. Name a file that was written with --run.</source>
        <translation>ist in Zeile %1 länger als %2. Nennen Sie eine Datei, die mit --run geschrieben wurde.</translation>
    </message>
    <message>
        <source>continues after its end. Copy the file again or record the run again.</source>
        <translation>geht nach ihrem Ende weiter. Kopieren Sie die Datei neu oder zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>ends inside a line. Record the run again.</source>
        <translation>endet mitten in einer Zeile. Zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; in the column &apos;%3&apos; is not a number. Save the values as CSV again.</source>
        <translation>%1: „%2“ in der Spalte „%3“ ist keine Zahl. Speichern Sie die Werte neu als CSV.</translation>
    </message>
    <message>
        <source>%1: step %2 comes after step %3. Save the values as CSV again.</source>
        <translation>%1: Schritt %2 kommt nach Schritt %3. Speichern Sie die Werte neu als CSV.</translation>
    </message>
    <message>
        <source>there is no step %1 in a run of %2 steps. Choose one from 1 to %2.</source>
        <translation>es gibt keinen Schritt %1 in einem Lauf von %2 Schritten. Wählen Sie einen von 1 bis %2.</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;, but must be %3.</source>
        <translation>%1 ist „%2“, muss aber %3 sein.</translation>
    </message>
    <message>
        <source>%1 is empty: give a value or leave the option out.</source>
        <translation>%1 ist leer: Geben Sie einen Wert an oder lassen Sie die Option weg.</translation>
    </message>
    <message>
        <source>%1 has a zero byte: give plain text.</source>
        <translation>%1 enthält ein Nullbyte: Geben Sie reinen Text an.</translation>
    </message>
    <message>
        <source>the settings are not a JSON object: write {&quot;strategy&quot;: &quot;mirrored&quot;, …}.</source>
        <translation>die Einstellungen sind kein JSON-Objekt: Schreiben Sie {&quot;strategy&quot;: &quot;mirrored&quot;, …}.</translation>
    </message>
    <message>
        <source>the key &apos;%1&apos; is missing</source>
        <translation>der Schlüssel „%1“ fehlt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a whole number from %2 to %3</source>
        <translation>„%1“ muss eine ganze Zahl von %2 bis %3 sein</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a list of at most %2</source>
        <translation>„%1“ muss eine Liste von höchstens %2 sein</translation>
    </message>
    <message>
        <source>&apos;isLink&apos; must be true or false</source>
        <translation>„isLink“ muss true oder false sein</translation>
    </message>
    <message>
        <source>&apos;config&apos; must be an object</source>
        <translation>„config“ muss ein Objekt sein</translation>
    </message>
    <message>
        <source>&apos;clock&apos; must be modelled or measured</source>
        <translation>„clock“ muss modelled oder measured sein</translation>
    </message>
    <message>
        <source>a span must be a list of %1 whole numbers</source>
        <translation>eine Spanne muss eine Liste von %1 ganzen Zahlen sein</translation>
    </message>
    <message>
        <source>a span refers to something that is not in the legend, or its time is out of range</source>
        <translation>eine Spanne verweist auf etwas, das in der Legende fehlt, oder ihre Zeit liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>the file continues after its last line</source>
        <translation>die Datei geht nach ihrer letzten Zeile weiter</translation>
    </message>
    <message>
        <source>a line must be a JSON object</source>
        <translation>eine Zeile muss ein JSON-Objekt sein</translation>
    </message>
    <message>
        <source>the file holds a different number of metrics or spans from the one written</source>
        <translation>die Datei enthält eine andere Zahl von Metriken oder Spannen, als geschrieben wurden</translation>
    </message>
    <message>
        <source>%1 %2: %3 cannot use it. Leave %1 out, or choose another strategy.</source>
        <translation>%1 %2: %3 kann damit nichts anfangen. Lassen Sie %1 weg oder wählen Sie eine andere Strategie.</translation>
    </message>
    <message>
        <source>%1 %2: %3 has one replica. Leave %1 out, or choose another strategy.</source>
        <translation>%1 %2: %3 hat ein einziges Replikat. Lassen Sie %1 weg oder wählen Sie eine andere Strategie.</translation>
    </message>
    <message>
        <source>%1 %2 do not fit on a cluster of %3 devices. Give fewer replicas or a larger cluster.</source>
        <translation>%1 %2 passen nicht auf einen Cluster mit %3 Geräten. Nehmen Sie weniger Replikate oder einen größeren Cluster.</translation>
    </message>
    <message>
        <source>%1 runs on one host, and %2 replicas are on %3. Choose --strategy multi-worker-mirrored, or fewer hosts.</source>
        <translation>%1 läuft auf einem Host, und %2 Replikate sind auf %3. Wählen Sie --strategy multi-worker-mirrored oder weniger Hosts.</translation>
    </message>
    <message>
        <source>%1 %2: %3 has exactly one replica. Leave %1 out, or choose another --strategy.</source>
        <translation>%1 %2: %3 hat genau ein Replikat. Lassen Sie %1 weg oder wählen Sie eine andere --strategy.</translation>
    </message>
    <message>
        <source>%1 %2:…: there are only replicas 0 to %3.</source>
        <translation>%1 %2:…: Es gibt nur die Replikate 0 bis %3.</translation>
    </message>
    <message>
        <source>%1 %2 and --global-batch %3 disagree for %4 replicas. Give one of the two.</source>
        <translation>%1 %2 und --global-batch %3 widersprechen sich bei %4 Replikaten. Geben Sie eines der beiden an.</translation>
    </message>
    <message>
        <source>%1 cpu: TPU cores are always simulated. Leave %1 out.</source>
        <translation>%1 cpu: TPU-Kerne sind immer simuliert. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2: %3 reduces nothing over replicas. Leave %1 out.</source>
        <translation>%1 %2: %3 reduziert nichts über Replikate. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2: %3 cannot use it. One of: auto%4.</source>
        <translation>%1 %2: %3 kann damit nichts anfangen. Möglich sind: auto%4.</translation>
    </message>
    <message>
        <source>%1 %2: NCCL works between GPUs, but --devices cpu has none. Use %1 ring.</source>
        <translation>%1 %2: NCCL arbeitet zwischen GPUs, aber --devices cpu hat keine. Verwenden Sie %1 ring.</translation>
    </message>
    <message>
        <source>%1 %2: NCCL needs a GPU for each replica, and there are %3 for %4 replicas. Use %1 ring, or fewer --replicas.</source>
        <translation>%1 %2: NCCL braucht eine GPU je Replikat, und es gibt %3 für %4 Replikate. Verwenden Sie %1 ring oder weniger --replicas.</translation>
    </message>
    <message>
        <source>%1 %2: %3. Or use %1 ring.</source>
        <translation>%1 %2: %3. Oder nehmen Sie %1 ring.</translation>
    </message>
    <message>
        <source>%1 belongs to --optimizer sgd; Adam has its own. Leave it out, or change the optimizer.</source>
        <translation>%1 gehört zu --optimizer sgd; Adam hat sein eigenes. Lassen Sie es weg oder wechseln Sie den Optimierer.</translation>
    </message>
    <message>
        <source>%1 belongs to --split file: examples in memory are not in files. Add --split file.</source>
        <translation>%1 gehört zu --split file: Beispiele im Speicher sind in keiner Datei. Fügen Sie --split file hinzu.</translation>
    </message>
    <message>
        <source>%1 needs --checkpoint-dir, the folder with the checkpoints.</source>
        <translation>%1 braucht --checkpoint-dir, den Ordner mit den Checkpoints.</translation>
    </message>
    <message>
        <source>%1 and --resume both say where the weights come from. Give one of the two.</source>
        <translation>%1 und --resume sagen beide, woher die Gewichte kommen. Geben Sie eines der beiden an.</translation>
    </message>
    <message>
        <source>%1 needs --checkpoint-dir, the folder for the checkpoints.</source>
        <translation>%1 braucht --checkpoint-dir, den Ordner für die Checkpoints.</translation>
    </message>
    <message>
        <source>%1 %2 with --batch-per-replica %3 needs about %4 of memory, and this machine has %5. Lower one of the two.</source>
        <translation>%1 %2 mit --batch-per-replica %3 braucht etwa %4 Speicher, und dieser Rechner hat %5. Senken Sie eines der beiden.</translation>
    </message>
    <message>
        <source>%1 %2: %3 gives every worker and every server a host of its own. Leave %1 out.</source>
        <translation>%1 %2: %3 gibt jedem Worker und jedem Server einen eigenen Host. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2: %3 works on one machine. Use --strategy multi-worker-mirrored for several.</source>
        <translation>%1 %2: %3 arbeitet auf einem Rechner. Nehmen Sie --strategy multi-worker-mirrored für mehrere.</translation>
    </message>
    <message>
        <source>%1 cuda: TPU cores are always simulated. Use %1 simulated.</source>
        <translation>%1 cuda: TPU-Kerne sind immer simuliert. Nehmen Sie %1 simulated.</translation>
    </message>
    <message>
        <source>%1 cuda: %2. Use %1 simulated or %1 cpu.</source>
        <translation>%1 cuda: %2. Nehmen Sie %1 simulated oder %1 cpu.</translation>
    </message>
    <message>
        <source>%1 needs simulated devices: time on this processor is measured, not modelled. Use --devices simulated.</source>
        <translation>%1 braucht simulierte Geräte: Auf diesem Prozessor wird Zeit gemessen, nicht modelliert. Nehmen Sie --devices simulated.</translation>
    </message>
    <message>
        <source>%1 needs simulated devices: time on a GPU is measured, not modelled. Use --devices simulated.</source>
        <translation>%1 braucht simulierte Geräte: Auf einer GPU wird Zeit gemessen, nicht modelliert. Nehmen Sie --devices simulated.</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>die Einstellung</translation>
    </message>
    <message>
        <source>the checkpoint was written with %1 %2, and this run has %3. Resume with the same settings, or start over without --resume.</source>
        <translation>der Checkpoint wurde mit %1 %2 geschrieben, und dieser Lauf hat %3. Setzen Sie mit denselben Einstellungen fort oder beginnen Sie neu ohne --resume.</translation>
    </message>
    <message>
        <source>unset</source>
        <translation>ohne Angabe</translation>
    </message>
    <message>
        <source>it unset</source>
        <translation>keine Angabe</translation>
    </message>
    <message>
        <source>, and &apos;%1&apos;</source>
        <translation>, und „%1“</translation>
    </message>
    <message>
        <source>the checkpoint of step %1 and later ones</source>
        <translation>der Checkpoint von Schritt %1 und spätere</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be %2</source>
        <translation>„%1“ muss %2 sein</translation>
    </message>
    <message>
        <source>a list of at most 65536 whole numbers, none negative</source>
        <translation>eine Liste von höchstens 65536 ganzen Zahlen, keine negativ</translation>
    </message>
    <message>
        <source>a worker&apos;s number</source>
        <translation>die Nummer eines Workers</translation>
    </message>
    <message>
        <source>a number or null</source>
        <translation>eine Zahl oder null</translation>
    </message>
    <message>
        <source>true, false or null</source>
        <translation>true, false oder null</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>left out where there is a modelledStepNs</source>
        <translation>weggelassen, wo es ein modelledStepNs gibt</translation>
    </message>
    <message>
        <source>step, eval or end</source>
        <translation>step, eval oder end</translation>
    </message>
    <message>
        <source>%1: %2. The file is damaged or of another kind; record the run again.</source>
        <translation>%1: %2. Die Datei ist beschädigt oder von anderer Art; zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>a metric is a JSON object</source>
        <translation>eine Metrik ist ein JSON-Objekt</translation>
    </message>
    <message>
        <source>the header</source>
        <translation>der Kopf</translation>
    </message>
    <message>
        <source>%1: %2. The file is damaged; record the run again.</source>
        <translation>%1: %2. Die Datei ist beschädigt; zeichnen Sie den Lauf neu auf.</translation>
    </message>
    <message>
        <source>%1: more steps than can be read. Record a shorter run.</source>
        <translation>%1: mehr Schritte, als sich lesen lassen. Zeichnen Sie einen kürzeren Lauf auf.</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;, but must be none, fixed:N, min-size:BYTES or max-size:BYTES, with a whole number above 0.</source>
        <translation>%1 ist „%2“, muss aber none, fixed:N, min-size:BYTES oder max-size:BYTES sein, mit einer ganzen Zahl über 0.</translation>
    </message>
    <message>
        <source>there is no path between its hosts: no link between hosts is named. Name one by its key in the catalogue.</source>
        <translation>es gibt keinen Weg zwischen seinen Hosts: Kein Link zwischen Hosts ist genannt. Nennen Sie einen mit seinem Schlüssel im Katalog.</translation>
    </message>
    <message>
        <source>the device &apos;%1&apos; has no family, which NCCL&apos;s model needs. Give its catalogue a column &apos;family&apos;.</source>
        <translation>das Gerät „%1“ hat keine Familie, aber das Modell von NCCL braucht sie. Geben Sie seinem Katalog eine Spalte „family“.</translation>
    </message>
    <message>
        <source>a batch of no examples trains nothing. Give at least 1.</source>
        <translation>ein Batch ohne Beispiele trainiert nichts. Geben Sie mindestens 1 an.</translation>
    </message>
    <message>
        <source>parameter servers need at least one server. Give 1 or more.</source>
        <translation>Parameterserver brauchen mindestens einen Server. Geben Sie 1 oder mehr an.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds no rows. Give it a header and rows.</source>
        <translation>„%1“ enthält keine Zeilen. Geben Sie der Tabelle eine Kopfzeile und Zeilen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the column &apos;%2&apos; appears twice. Remove one.</source>
        <translation>„%1“: Die Spalte „%2“ gibt es zweimal. Entfernen Sie eine.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2: the cell &apos;%3&apos; is &apos;%4&apos;, not a number from 0 to 1e15. Correct it or leave it empty.</source>
        <translation>„%1“, Zeile %2: Die Zelle „%3“ ist „%4“, keine Zahl von 0 bis 1e15. Berichtigen Sie sie oder lassen Sie sie leer.</translation>
    </message>
    <message>
        <source>is empty. Fill it in.</source>
        <translation>ist leer. Füllen Sie sie aus.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, not a number from 1e-6 to 1e9. Correct it.</source>
        <translation>ist „%1“, keine Zahl von 1e-6 bis 1e9. Berichtigen Sie sie.</translation>
    </message>
    <message>
        <source>does not belong to a %1. Leave it empty.</source>
        <translation>gehört nicht zur Art %1. Lassen Sie sie leer.</translation>
    </message>
    <message>
        <source>is empty though a precision is given. Fill in both or neither.</source>
        <translation>ist leer, obwohl eine Genauigkeit angegeben ist. Füllen Sie beide aus oder keine.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;. Write device or link.</source>
        <translation>ist „%1“. Schreiben Sie device oder link.</translation>
    </message>
    <message>
        <source>is used by an earlier row. Give each row its own.</source>
        <translation>kommt schon in einer früheren Zeile vor. Geben Sie jeder Zeile ihre eigene.</translation>
    </message>
    <message>
        <source>the cluster: %1</source>
        <translation>der Cluster: %1</translation>
    </message>
    <message>
        <source>more than %1 switches lie one above the other, from &apos;%2&apos; upwards. Use fewer levels: data centres have three.</source>
        <translation>mehr als %1 Switches liegen übereinander, von „%2“ aufwärts. Nehmen Sie weniger Ebenen: Rechenzentren haben drei.</translation>
    </message>
    <message>
        <source>%1 must be an object in braces.</source>
        <translation>%1 muss ein Objekt in geschweiften Klammern sein.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is %3, not a whole number from 1 to %4. Correct it.</source>
        <translation>%1: „%2“ ist %3, keine ganze Zahl von 1 bis %4. Berichtigen Sie das.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; must be true or false.</source>
        <translation>%1: „%2“ muss true oder false sein.</translation>
    </message>
    <message>
        <source>%1 has no &apos;%2&apos;. Add it.</source>
        <translation>%1 hat kein „%2“. Fügen Sie es hinzu.</translation>
    </message>
    <message>
        <source>it has no hosts. Add at least one, with a device.</source>
        <translation>er hat keine Hosts. Fügen Sie mindestens einen mit einem Gerät hinzu.</translation>
    </message>
    <message>
        <source>two groups of hosts are named &apos;%1&apos;. Give each its own name.</source>
        <translation>zwei Gruppen von Hosts heißen „%1“. Geben Sie jeder ihren eigenen Namen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has a count of %2. Give 1 to %3.</source>
        <translation>„%1“ hat die Anzahl %2. Geben Sie 1 bis %3 an.</translation>
    </message>
    <message>
        <source>a switch has no name. Give each one.</source>
        <translation>ein Switch hat keinen Namen. Geben Sie jedem einen.</translation>
    </message>
    <message>
        <source>two switches are named &apos;%1&apos;. Give each its own name.</source>
        <translation>zwei Switches heißen „%1“. Geben Sie jedem seinen eigenen Namen.</translation>
    </message>
    <message>
        <source>the switch &apos;%1&apos; has no uplinks. Give it at least one.</source>
        <translation>der Switch „%1“ hat keine Uplinks. Geben Sie ihm mindestens einen.</translation>
    </message>
    <message>
        <source>there is no path between all hosts: some end at %1 and others at %2. Connect the two.</source>
        <translation>es gibt keinen Weg zwischen allen Hosts: Einige enden bei %1 und andere bei %2. Verbinden Sie beide.</translation>
    </message>
    <message>
        <source>&apos;transport&apos; is &apos;%1&apos;. Write auto, rdma, tcp or grpc.</source>
        <translation>„transport“ ist „%1“. Schreiben Sie auto, rdma, tcp oder grpc.</translation>
    </message>
    <message>
        <source>&apos;hosts&apos; must be a list in brackets.</source>
        <translation>„hosts“ muss eine Liste in eckigen Klammern sein.</translation>
    </message>
    <message>
        <source>&apos;devices&apos; of &apos;%1&apos; must be like {&quot;v100&quot;: 8}.</source>
        <translation>„devices“ von „%1“ muss wie {&quot;v100&quot;: 8} aussehen.</translation>
    </message>
    <message>
        <source>&apos;switches&apos; must be a list in brackets.</source>
        <translation>„switches“ muss eine Liste in eckigen Klammern sein.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the first line is not key,value,unit,source. Begin the table with these columns.</source>
        <translation>„%1“: Die erste Zeile ist nicht key,value,unit,source. Beginnen Sie die Tabelle mit diesen Spalten.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2 (&apos;%3&apos;): %4</source>
        <translation>„%1“, Zeile %2 („%3“): %4</translation>
    </message>
    <message>
        <source>the value is &apos;%1&apos;, not a number from 0 to 1e9. Correct it.</source>
        <translation>der Wert ist „%1“, keine Zahl von 0 bis 1e9. Berichtigen Sie ihn.</translation>
    </message>
    <message>
        <source>the source is empty. Say where the value comes from.</source>
        <translation>die Quelle ist leer. Sagen Sie, woher der Wert kommt.</translation>
    </message>
    <message>
        <source>the key is used by an earlier row. Give each row its own.</source>
        <translation>der Schlüssel kommt schon in einer früheren Zeile vor. Geben Sie jeder Zeile ihren eigenen.</translation>
    </message>
    <message>
        <source>is empty. Write one of: %1.</source>
        <translation>ist leer. Schreiben Sie eines von: %1.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;. Write one of: %2.</source>
        <translation>ist „%1“. Schreiben Sie eines von: %2.</translation>
    </message>
    <message>
        <source>device model</source>
        <translation>das Gerätemodell</translation>
    </message>
    <message>
        <source>link</source>
        <translation>den Link</translation>
    </message>
    <message>
        <source>the switches form a cycle: &apos;%1&apos; is attached to itself by way of &apos;%2&apos;. Attach one of them to another, or to none.</source>
        <translation>die Switches bilden einen Kreis: „%1“ hängt über „%2“ an sich selbst. Hängen Sie einen von ihnen an einen anderen oder an keinen.</translation>
    </message>
    <message>
        <source>the switches form a cycle: &apos;%1&apos; is attached to itself. Attach it to another, or to none.</source>
        <translation>die Switches bilden einen Kreis: „%1“ hängt an sich selbst. Hängen Sie ihn an einen anderen oder an keinen.</translation>
    </message>
    <message>
        <source>%1. Add it to the switches or correct the name.</source>
        <translation>%1. Nehmen Sie ihn unter die Switches auf oder berichtigen Sie den Namen.</translation>
    </message>
    <message>
        <source>switch</source>
        <translation>den Switch</translation>
    </message>
    <message>
        <source>key</source>
        <translation>den Schlüssel</translation>
    </message>
    <message>
        <source>%1 has an %2. Correct or remove it.</source>
        <translation>%1: %2. Berichtigen oder entfernen Sie ihn.</translation>
    </message>
    <message>
        <source>it</source>
        <translation>die Datei</translation>
    </message>
    <message>
        <source>an entry of &apos;hosts&apos;</source>
        <translation>ein Eintrag von „hosts“</translation>
    </message>
    <message>
        <source>an entry of &apos;switches&apos;</source>
        <translation>ein Eintrag von „switches“</translation>
    </message>
    <message>
        <source>&apos;devices&apos; of &apos;%1&apos;</source>
        <translation>„devices“ von „%1“</translation>
    </message>
    <message>
        <source>no switch</source>
        <translation>keinem Switch</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: &apos;%2&apos; is not a constant of the timing model. `strategylab-cli catalogue --json` lists them.</source>
        <translation>„%1“: „%2“ ist keine Konstante des Zeitmodells. `strategylab-cli catalogue --json` listet sie auf.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: &apos;%2&apos; is not a constant of the timing model: did you mean &apos;%3&apos;? `strategylab-cli catalogue --json` lists them.</source>
        <translation>„%1“: „%2“ ist keine Konstante des Zeitmodells: Meinten Sie „%3“? `strategylab-cli catalogue --json` listet sie auf.</translation>
    </message>
    <message>
        <source>model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>9 in 10 published steps like this are within %1</source>
        <translation>9 von 10 veröffentlichten Schritten wie diesem liegen innerhalb von %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 → %2 · %3</source>
        <translation>%1 → %2 · %3</translation>
    </message>
    <message>
        <source>weights · pulled by all</source>
        <translation>Gewichte · von allen geholt</translation>
    </message>
    <message>
        <source>gradients · sent by all</source>
        <translation>Gradienten · von allen geschickt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be created: this session will not be stored. Make room, or check the permissions of your home folder.</source>
        <translation>„%1“ lässt sich nicht anlegen: Diese Sitzung wird nicht gespeichert. Schaffen Sie Platz, oder prüfen Sie die Rechte Ihres persönlichen Ordners.</translation>
    </message>
    <message>
        <source>too many windows are open, so this session will not be stored. Close some.</source>
        <translation>zu viele Fenster sind offen, darum wird diese Sitzung nicht gespeichert. Schließen Sie einige.</translation>
    </message>
    <message>
        <source>the session cannot be stored: &apos;%1&apos; cannot be written: %2. Make room, or save what matters elsewhere.</source>
        <translation>die Sitzung lässt sich nicht speichern: „%1“ lässt sich nicht schreiben: %2. Schaffen Sie Platz oder speichern Sie Wichtiges anderswo.</translation>
    </message>
    <message>
        <source>the picture &apos;%1&apos; cannot be made: name a file that ends with .png, .svg or .pdf</source>
        <translation>das Bild „%1“ lässt sich nicht erstellen: Nennen Sie eine Datei, die auf .png, .svg oder .pdf endet</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is larger than any experiment. Name the right file.</source>
        <translation>„%1“ ist größer als jedes Experiment. Nennen Sie die richtige Datei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not known</source>
        <translation>„%1“ ist nicht bekannt</translation>
    </message>
    <message>
        <source>the method &apos;%1&apos; is not modelled</source>
        <translation>die Methode „%1“ ist nicht modelliert</translation>
    </message>
    <message>
        <source>&apos;devices&apos; is not a multiple of &apos;hosts&apos;</source>
        <translation>„devices“ ist kein Vielfaches von „hosts“</translation>
    </message>
    <message>
        <source>its row has no calibrating point: %1</source>
        <translation>seine Zeile hat keinen Punkt zum Kalibrieren: %1</translation>
    </message>
    <message>
        <source>the unit &apos;%1&apos; does not say what a step takes</source>
        <translation>die Einheit „%1“ sagt nicht, was ein Schritt braucht</translation>
    </message>
    <message>
        <source>the unit &apos;%1&apos; is not known</source>
        <translation>die Einheit „%1“ ist nicht bekannt</translation>
    </message>
    <message>
        <source>the catalogue names no family for &apos;%1&apos;, so %2 is assumed: the family of &apos;%3&apos;, whose figures are nearest. Name the family in a column &apos;family&apos;.</source>
        <translation>der Katalog nennt für „%1“ keine Familie; angenommen wird %2: die Familie von „%3“, dessen Kennzahlen am nächsten liegen. Nennen Sie die Familie in einer Spalte „family“.</translation>
    </message>
    <message>
        <source>%1 belongs to --strategy %2. Leave it out, or change the strategy.</source>
        <translation>%1 gehört zu --strategy %2. Lassen Sie es weg oder wechseln Sie die Strategie.</translation>
    </message>
    <message>
        <source>%1 replicas are too many to distribute examples to: use at most %2</source>
        <translation>%1 Replikate sind zu viele, um Beispiele an sie zu verteilen: Nehmen Sie höchstens %2</translation>
    </message>
    <message>
        <source>Where the examples come from; this decides how tf.data distributes a batch</source>
        <translation>Woher die Beispiele kommen; das entscheidet, wie tf.data einen Batch verteilt</translation>
    </message>
    <message>
        <source>%1 cells are too many for one sweep: give fewer values, at most %2 cells</source>
        <translation>%1 Zellen sind zu viele für einen Sweep: Geben Sie weniger Werte an, höchstens %2 Zellen</translation>
    </message>
    <message>
        <source>this is not a sweep: %1</source>
        <translation>das ist kein Sweep: %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is an experiment without a sweep. Open it with File, or name another.</source>
        <translation>„%1“ ist ein Experiment ohne Sweep. Über „Datei“ öffnen oder eine andere Datei nennen.</translation>
    </message>
    <message>
        <source>a value is out of range</source>
        <translation>ein Wert liegt außerhalb des Erlaubten</translation>
    </message>
    <message>
        <source>it is not an object</source>
        <translation>es ist kein Objekt</translation>
    </message>
    <message>
        <source>it has one replica</source>
        <translation>sie hat ein Replikat</translation>
    </message>
    <message>
        <source>it runs on one host</source>
        <translation>sie läuft auf einem Host</translation>
    </message>
    <message>
        <source>it belongs to %1</source>
        <translation>es gehört zu %1</translation>
    </message>
    <message>
        <source>it runs on TPU cores</source>
        <translation>sie läuft auf TPU-Kernen</translation>
    </message>
    <message>
        <source>it does not run on TPU cores</source>
        <translation>sie läuft nicht auf TPU-Kernen</translation>
    </message>
    <message>
        <source>TPU cores have links of their own</source>
        <translation>TPU-Kerne haben eigene Links</translation>
    </message>
    <message>
        <source>that link is between TPU cores</source>
        <translation>dieser Link liegt zwischen TPU-Kernen</translation>
    </message>
    <message>
        <source>it cannot reduce that way</source>
        <translation>sie kann so nicht reduzieren</translation>
    </message>
    <message>
        <source>%1: %2 is left out: %3</source>
        <translation>%1: %2 ist weggelassen: %3</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>%1 suits none of the strategies compared: %2: %3. Leave it out, or compare others with --strategies.</source>
        <translation>%1 passt zu keiner der verglichenen Strategien: %2: %3. Lassen Sie es weg, oder vergleichen Sie andere mit --strategies.</translation>
    </message>
    <message>
        <source>%1 cannot change in the middle of a run: %2. Start a new run with it.</source>
        <translation>%1 kann sich nicht mitten in einem Lauf ändern: %2. Starten Sie damit einen neuen Lauf.</translation>
    </message>
    <message>
        <source>a run depends on it from its first step on</source>
        <translation>davon hängt ein Lauf von seinem ersten Schritt an ab</translation>
    </message>
    <message>
        <source>the optimizer&apos;s slots would be missing or of another kind</source>
        <translation>die Slots des Optimierers würden fehlen oder wären von anderer Art</translation>
    </message>
    <message>
        <source>asynchronous workers still have gradients in flight that were computed with the old settings</source>
        <translation>asynchrone Worker haben noch Gradienten unterwegs, die mit den alten Einstellungen berechnet sind</translation>
    </message>
    <message>
        <source>%1 cuda: values can be changed by hand only on simulated devices and on the processor.</source>
        <translation>%1 cuda: Werte lassen sich nur auf simulierten Geräten und auf dem Prozessor von Hand ändern.</translation>
    </message>
    <message>
        <source>there is no replica %1: the last one is %2. Name one from 0 to %2.</source>
        <translation>Replikat %1 gibt es nicht: Das letzte ist %2. Nennen Sie eines von 0 bis %2.</translation>
    </message>
    <message>
        <source>there is no value %1: the variables have %2, counted from 0. Name one of them.</source>
        <translation>Wert %1 gibt es nicht: Die Variablen haben %2, gezählt von 0. Nennen Sie einen davon.</translation>
    </message>
    <message>
        <source>a changed value must be finite, its bit from 0 to 31, and its step the branch&apos;s first.</source>
        <translation>ein geänderter Wert muss endlich sein, sein Bit von 0 bis 31, und sein Schritt der erste des Zweigs.</translation>
    </message>
    <message>
        <source>the file&apos;s record of the run&apos;s parents is damaged: &apos;%1&apos;. Save the run again.</source>
        <translation>was die Datei über die Elternläufe dieses Laufs enthält, ist beschädigt: „%1“. Speichern Sie den Lauf noch einmal.</translation>
    </message>
    <message>
        <source>the checkpoint in &apos;%1&apos; belongs to another branch of the run. Name the folder of this branch, or start over without --resume.</source>
        <translation>der Checkpoint in „%1“ gehört zu einem anderen Zweig des Laufs. Nennen Sie den Ordner dieses Zweigs, oder beginnen Sie ohne --resume von vorn.</translation>
    </message>
    <message>
        <source>branch of another run from step %1</source>
        <translation>Zweig eines anderen Laufs ab Schritt %1</translation>
    </message>
    <message>
        <source>branch of &apos;%1&apos; from step %2</source>
        <translation>Zweig von „%1“ ab Schritt %2</translation>
    </message>
    <message>
        <source>weight %1 of replica %2 changed by hand in step %3</source>
        <translation>Gewicht %1 von Replikat %2 in Schritt %3 von Hand geändert</translation>
    </message>
    <message>
        <source>gradient value %1 of replica %2 changed by hand in step %3</source>
        <translation>Gradientenwert %1 von Replikat %2 in Schritt %3 von Hand geändert</translation>
    </message>
    <message>
        <source>images seen</source>
        <translation>gesehene Bilder</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>server queue</source>
        <translation>Warteschlange am Server</translation>
    </message>
    <message>
        <source>straggler</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Kernelstart</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>Einstellungen, die sich unterscheiden</translation>
    </message>
    <message>
        <source>Settings that all have</source>
        <translation>Einstellungen, die alle haben</translation>
    </message>
    <message>
        <source>The same in TensorFlow</source>
        <translation>Dasselbe in TensorFlow</translation>
    </message>
    <message>
        <source>The same experiment under %1 strategy</source>
        <translation>Dasselbe Experiment unter %1 Strategie</translation>
    </message>
    <message>
        <source>The same experiment under %1 strategies</source>
        <translation>Dasselbe Experiment unter %1 Strategien</translation>
    </message>
    <message>
        <source>Strategies compared</source>
        <translation>Strategien im Vergleich</translation>
    </message>
    <message>
        <source>Modelled times and rates come from the timing model of the chosen devices; measured ones come from the computer that ran this.</source>
        <translation>Modellierte Zeiten und Raten kommen aus dem Zeitmodell der gewählten Geräte; gemessene kommen von dem Rechner, auf dem dies lief.</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>Kurven</translation>
    </message>
    <message>
        <source>Loss of the training batches</source>
        <translation>Verlust der Trainings-Batches</translation>
    </message>
    <message>
        <source>Accuracy on the test images</source>
        <translation>Genauigkeit auf den Testbildern</translation>
    </message>
    <message>
        <source>the text is larger than %1. Split it.</source>
        <translation>der Text ist größer als %1. Teilen Sie ihn.</translation>
    </message>
    <message>
        <source>this is not text in UTF-8. Save it as UTF-8.</source>
        <translation>das ist kein Text in UTF-8. Speichern Sie ihn als UTF-8.</translation>
    </message>
    <message>
        <source>no block has begun yet. Begin one before this line: [page NAME].</source>
        <translation>hier hat noch kein Block begonnen. Beginnen Sie davor einen: [page NAME].</translation>
    </message>
    <message>
        <source>a block begins with [KIND] or [KIND NAME], of letters, digits and &apos;-&apos;.</source>
        <translation>ein Block beginnt mit [ART] oder [ART NAME], aus Buchstaben, Ziffern und „-“.</translation>
    </message>
    <message>
        <source>a line is &apos;key: value&apos;, begins with &apos;#&apos;, or begins with spaces to continue the line before.</source>
        <translation>eine Zeile ist „Schlüssel: Wert“, beginnt mit „#“ oder setzt, mit Leerzeichen am Anfang, die Zeile davor fort.</translation>
    </message>
    <message>
        <source>[%2] has no key &apos;%1&apos;. Remove the line.</source>
        <translation>[%2] hat keinen Schlüssel „%1“. Entfernen Sie die Zeile.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; appears twice. Leave one out.</source>
        <translation>„%1“ ist zweimal da. Lassen Sie eines weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a number from %2 to %3, not &apos;%4&apos;.</source>
        <translation>„%1“ muss eine Zahl von %2 bis %3 sein, nicht „%4“.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a name of letters, digits and &apos;-&apos;, not &apos;%2&apos;.</source>
        <translation>„%1“ muss ein Name aus Buchstaben, Ziffern und „-“ sein, nicht „%2“.</translation>
    </message>
    <message>
        <source>&apos;settings&apos; is not valid: %1</source>
        <translation>„settings“ ist nicht gültig: %1</translation>
    </message>
    <message>
        <source>[%1] needs &apos;%2&apos;.</source>
        <translation>[%1] braucht „%2“.</translation>
    </message>
    <message>
        <source>&apos;kind&apos; must be one, several, number or order, not &apos;%1&apos;.</source>
        <translation>„kind“ muss one, several, number oder order sein, nicht „%1“.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a number, not &apos;%2&apos;.</source>
        <translation>„%1“ muss eine Zahl sein, nicht „%2“.</translation>
    </message>
    <message>
        <source>a question of this kind has one right answer.</source>
        <translation>eine Frage dieser Art hat eine richtige Antwort.</translation>
    </message>
    <message>
        <source>its moments come from a newer version of StrategyLab and stay unchanged.</source>
        <translation>die Momente darin stammen von einer neueren Version von StrategyLab und bleiben unverändert.</translation>
    </message>
    <message>
        <source>%1 runs only on TPU cores with their own links: computing time is modelled as well, not taken from the recorded step.</source>
        <translation>%1 läuft nur auf TPU-Kernen mit eigenen Links: Auch die Rechenzeit ist modelliert, nicht vom aufgezeichneten Schritt übernommen.</translation>
    </message>
    <message>
        <source>%1 does not run on TPU cores: computing time is modelled as well, not taken from the recorded step.</source>
        <translation>%1 läuft nicht auf TPU-Kernen: Auch die Rechenzeit ist modelliert, nicht vom aufgezeichneten Schritt übernommen.</translation>
    </message>
    <message>
        <source>%1 has one replica: it computes all %2 examples.</source>
        <translation>%1 hat ein Replikat: Es rechnet alle %2 Beispiele.</translation>
    </message>
    <message>
        <source>Under %1 a step belongs to one worker: its mean cycle is compared with the recorded step of all replicas.</source>
        <translation>Unter %1 gehört ein Schritt einem Worker: Verglichen wird sein mittlerer Zyklus mit dem aufgezeichneten Schritt aller Replikate.</translation>
    </message>
    <message>
        <source>%1 examples cannot be shared equally by %2 workers: each takes %3.</source>
        <translation>%1 Beispiele lassen sich nicht gleichmäßig auf %2 Worker verteilen: Jeder nimmt %3.</translation>
    </message>
    <message>
        <source>Under %1 a step belongs to all replicas; the recorded one was one worker&apos;s cycle.</source>
        <translation>Unter %1 gehört ein Schritt allen Replikaten; der aufgezeichnete war der Zyklus eines Workers.</translation>
    </message>
    <message>
        <source>Computing time is the measured step&apos;s; communication time comes only from the catalogue.</source>
        <translation>Die Rechenzeit ist die des gemessenen Schritts; die Kommunikationszeit kommt nur aus dem Katalog.</translation>
    </message>
    <message>
        <source>a dead task</source>
        <translation>eine tote Task</translation>
    </message>
    <message>
        <source>%1 runs in one process: a fault ends the program, and no other task can carry on.</source>
        <translation>%1 läuft in einem Prozess: Ein Ausfall beendet das Programm, und keine andere Task kann weitermachen.</translation>
    </message>
    <message>
        <source>tasks die only on the simulated clock. Use %1 simulated.</source>
        <translation>Tasks sterben nur auf der simulierten Uhr. Nehmen Sie %1 simulated.</translation>
    </message>
    <message>
        <source>there is no such task: %1 %2. Name a task of the cluster.</source>
        <translation>Diese Task gibt es nicht: %1 %2. Nennen Sie eine Task des Clusters.</translation>
    </message>
    <message>
        <source>a fault must be in the first step of its branch. Only a living task can be killed, and only a dead one revived.</source>
        <translation>Ein Ausfall muss im ersten Schritt seines Zweigs liegen. Nur eine lebende Task lässt sich töten, nur eine tote wiederbeleben.</translation>
    </message>
    <message>
        <source>cutting a task off was measured with MultiWorkerMirrored only. Kill the task instead.</source>
        <translation>Das Abschneiden einer Task wurde nur mit MultiWorkerMirrored gemessen. Töten Sie stattdessen die Task.</translation>
    </message>
    <message>
        <source>worker %1 is the last one alive, and training needs one. Revive another worker first.</source>
        <translation>Worker %1 lebt als letzter, und das Training braucht einen. Beleben Sie zuerst einen anderen Worker wieder.</translation>
    </message>
    <message>
        <source>training ended with an error because a task died. Revive that task first.</source>
        <translation>Das Training endete mit einem Fehler, weil eine Task starb. Beleben Sie diese Task zuerst wieder.</translation>
    </message>
    <message>
        <source>worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>coordinator</source>
        <translation>Koordinator</translation>
    </message>
    <message>
        <source>parameter server</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>%1 killed in step %2</source>
        <translation>%1 in Schritt %2 getötet</translation>
    </message>
    <message>
        <source>%1 cut off in step %2</source>
        <translation>%1 in Schritt %2 abgeschnitten</translation>
    </message>
    <message>
        <source>%1 revived in step %2</source>
        <translation>%1 in Schritt %2 wiederbelebt</translation>
    </message>
    <message>
        <source>%1 revived: all start again with step %2 from the backup</source>
        <translation>%1 wiederbelebt: Alle beginnen ab der Sicherung wieder, mit Schritt %2</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>tot</translation>
    </message>
    <message>
        <source>wait for a dead task</source>
        <translation>Warten auf eine tote Task</translation>
    </message>
    <message>
        <source>lost message</source>
        <translation>verlorene Nachricht</translation>
    </message>
    <message>
        <source>&apos;locks&apos; must have lists of names of controls under &apos;hide&apos; and &apos;lock&apos;. Leave it out, or save the experiment again.</source>
        <translation>„locks“ muss unter „hide“ und „lock“ Listen mit Namen von Bedienelementen haben. Lassen Sie es weg oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of this link must be names of controls with commas between them. Copy the whole link.</source>
        <translation>„%1“ in diesem Link müssen Namen von Bedienelementen mit Kommas dazwischen sein. Kopieren Sie den ganzen Link.</translation>
    </message>
    <message>
        <source>the movie cannot be made: %1. Choose a smaller picture, or the other format.</source>
        <translation>der Film lässt sich nicht erstellen: %1. Wählen Sie ein kleineres Bild oder das andere Format.</translation>
    </message>
    <message>
        <source>the movie would be larger than %1. Choose a shorter part, a smaller picture or fewer pictures per second.</source>
        <translation>der Film würde größer als %1. Wählen Sie einen kürzeren Ausschnitt, ein kleineres Bild oder weniger Bilder je Sekunde.</translation>
    </message>
    <message>
        <source>the strategy, by its key: mirrored</source>
        <translation>die Strategie, nach ihrem Schlüssel: mirrored</translation>
    </message>
    <message>
        <source>a setting in force, by its option: setting(reducer)</source>
        <translation>eine geltende Einstellung, nach ihrer Option: setting(reducer)</translation>
    </message>
    <message>
        <source>how many replicas there are</source>
        <translation>wie viele Replikate es gibt</translation>
    </message>
    <message>
        <source>examples in a global batch</source>
        <translation>Beispiele in einem globalen Batch</translation>
    </message>
    <message>
        <source>examples in a replica&apos;s share</source>
        <translation>Beispiele im Anteil eines Replikats</translation>
    </message>
    <message>
        <source>the learning rate that was set</source>
        <translation>die eingestellte Lernrate</translation>
    </message>
    <message>
        <source>the step on the stage</source>
        <translation>der Schritt auf der Bühne</translation>
    </message>
    <message>
        <source>how many steps are trained</source>
        <translation>wie viele Schritte trainiert sind</translation>
    </message>
    <message>
        <source>steps in an epoch</source>
        <translation>Schritte in einer Epoche</translation>
    </message>
    <message>
        <source>the beat on the stage: aggregate</source>
        <translation>der Takt auf der Bühne: aggregate</translation>
    </message>
    <message>
        <source>how much of that beat has passed, 0 to 1</source>
        <translation>wie viel von diesem Takt vergangen ist, 0 bis 1</translation>
    </message>
    <message>
        <source>a beat has been on the stage since the page began</source>
        <translation>ein Takt war auf der Bühne, seit die Seite begann</translation>
    </message>
    <message>
        <source>the movie plays</source>
        <translation>der Film läuft</translation>
    </message>
    <message>
        <source>the movie does not play</source>
        <translation>der Film läuft nicht</translation>
    </message>
    <message>
        <source>the kind of the selected object: gradient</source>
        <translation>die Art des gewählten Objekts: gradient</translation>
    </message>
    <message>
        <source>the selected object with its numbers</source>
        <translation>das gewählte Objekt mit seinen Nummern</translation>
    </message>
    <message>
        <source>the workspace: teach, explore, compare, sweep, profile</source>
        <translation>der Arbeitsbereich: teach, explore, compare, sweep, profile</translation>
    </message>
    <message>
        <source>a tab is in front in an open panel: shown(chartsTab)</source>
        <translation>ein Reiter ist vorn in einem offenen Bereich: shown(chartsTab)</translation>
    </message>
    <message>
        <source>examples in the step on the stage</source>
        <translation>Beispiele im Schritt auf der Bühne</translation>
    </message>
    <message>
        <source>examples that a replica got in that step: shard(0)</source>
        <translation>Beispiele, die ein Replikat in diesem Schritt bekam: shard(0)</translation>
    </message>
    <message>
        <source>the mean loss of that step</source>
        <translation>der mittlere Verlust dieses Schritts</translation>
    </message>
    <message>
        <source>the share of its images that were recognised, 0 to 1</source>
        <translation>der erkannte Anteil seiner Bilder, 0 bis 1</translation>
    </message>
    <message>
        <source>updates by others before a worker&apos;s own, in that step</source>
        <translation>Updates anderer vor dem eigenen eines Workers, in diesem Schritt</translation>
    </message>
    <message>
        <source>the highest staleness of all steps so far</source>
        <translation>die höchste Staleness aller bisherigen Schritte</translation>
    </message>
    <message>
        <source>bytes that all devices sent in that step</source>
        <translation>Bytes, die alle Geräte in diesem Schritt gesendet haben</translation>
    </message>
    <message>
        <source>that step&apos;s time in milliseconds</source>
        <translation>die Zeit dieses Schritts in Millisekunden</translation>
    </message>
    <message>
        <source>of that time, computing</source>
        <translation>von dieser Zeit: Rechnen</translation>
    </message>
    <message>
        <source>of that time, sending while nothing is computed</source>
        <translation>von dieser Zeit: Senden, während nichts gerechnet wird</translation>
    </message>
    <message>
        <source>of that time, waiting for slower replicas</source>
        <translation>von dieser Zeit: Warten auf langsamere Replikate</translation>
    </message>
    <message>
        <source>of that time, waiting for a server</source>
        <translation>von dieser Zeit: Warten auf einen Server</translation>
    </message>
    <message>
        <source>images per second in that step</source>
        <translation>Bilder je Sekunde in diesem Schritt</translation>
    </message>
    <message>
        <source>all copies of the weights were equal, bit by bit</source>
        <translation>alle Kopien der Gewichte waren gleich, Bit für Bit</translation>
    </message>
    <message>
        <source>the loss has diverged</source>
        <translation>der Verlust ist divergiert</translation>
    </message>
    <message>
        <source>the run has ended</source>
        <translation>der Lauf ist zu Ende</translation>
    </message>
    <message>
        <source>runs of this session</source>
        <translation>Läufe dieser Sitzung</translation>
    </message>
    <message>
        <source>runs side by side in Compare</source>
        <translation>Läufe nebeneinander in „Vergleichen“</translation>
    </message>
    <message>
        <source>a sweep has ended, with all its cells</source>
        <translation>ein Sweep ist mit allen Zellen zu Ende</translation>
    </message>
    <message>
        <source>a page&apos;s prediction is sealed</source>
        <translation>die Vorhersage einer Seite ist versiegelt</translation>
    </message>
    <message>
        <source>a page&apos;s question is answered rightly</source>
        <translation>die Frage einer Seite ist richtig beantwortet</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>beat</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a replica. Give its number, from 0.</source>
        <translation>„%1“ ist kein Replikat. Nennen Sie seine Nummer, ab 0.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs something in parentheses: %1(…).</source>
        <translation>„%1“ braucht etwas in Klammern: %1(…).</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is written without parentheses.</source>
        <translation>„%1“ steht ohne Klammern.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not expected here. Join two conditions with &apos;and&apos; or &apos;or&apos;.</source>
        <translation>„%1“ passt hier nicht. Verbinden Sie zwei Bedingungen mit „and“ oder „or“.</translation>
    </message>
    <message>
        <source>the parentheses are nested too deep. Take some out.</source>
        <translation>die Klammern sind zu tief geschachtelt. Nehmen Sie einige heraus.</translation>
    </message>
    <message>
        <source>a parenthesis is not closed. Close it.</source>
        <translation>eine Klammer ist nicht geschlossen. Schließen Sie sie.</translation>
    </message>
    <message>
        <source>the condition ends too early. Write NAME = VALUE.</source>
        <translation>die Bedingung endet zu früh. Schreiben Sie NAME = WERT.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is either true or false. Write it alone, or &apos;not %1&apos;.</source>
        <translation>„%1“ ist entweder wahr oder falsch. Schreiben Sie es allein, oder „not %1“.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a comparison: %1 = VALUE.</source>
        <translation>„%1“ braucht einen Vergleich: %1 = WERT.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a word: compare it with = or !=.</source>
        <translation>„%1“ ist ein Wort: Vergleichen Sie es mit = oder !=.</translation>
    </message>
    <message>
        <source>a lesson begins with [lesson NAME].</source>
        <translation>eine Lektion beginnt mit [lesson NAME].</translation>
    </message>
    <message>
        <source>[%1] has no place in a lesson. Write [lesson NAME] once, then [page NAME].</source>
        <translation>[%1] hat in einer Lektion keinen Platz. Schreiben Sie einmal [lesson NAME], dann [page NAME].</translation>
    </message>
    <message>
        <source>[%1] needs a name: [%1 NAME].</source>
        <translation>[%1] braucht einen Namen: [%1 NAME].</translation>
    </message>
    <message>
        <source>the name &apos;%1&apos; is used twice. Give one of the pages another name.</source>
        <translation>den Namen „%1“ gibt es zweimal. Geben Sie einer der Seiten einen anderen.</translation>
    </message>
    <message>
        <source>the lesson has no page. Add [page NAME].</source>
        <translation>die Lektion hat keine Seite. Fügen Sie [page NAME] hinzu.</translation>
    </message>
    <message>
        <source>[%1] has no &apos;%2&apos;. Add it.</source>
        <translation>[%1] hat kein „%2“. Fügen Sie es hinzu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is empty. Write something, or take it out.</source>
        <translation>„%1“ ist leer. Schreiben Sie etwas, oder nehmen Sie es heraus.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing in the language &apos;%2&apos;. Add %1[%2].</source>
        <translation>„%1“ fehlt in der Sprache „%2“. Fügen Sie %1[%2] hinzu.</translation>
    </message>
    <message>
        <source>the page has nothing to do. Add &apos;until&apos; or &apos;ask&apos;.</source>
        <translation>auf der Seite ist nichts zu tun. Fügen Sie „until“ oder „ask“ hinzu.</translation>
    </message>
    <message>
        <source>the question has no right answer among two or more. Add &apos;right&apos; and &apos;wrong&apos;.</source>
        <translation>die Frage hat keine richtige Antwort unter zweien oder mehr. Fügen Sie „right“ und „wrong“ hinzu.</translation>
    </message>
    <message>
        <source>&apos;{%1}&apos; in a text: %2</source>
        <translation>„{%1}“ in einem Text: %2</translation>
    </message>
    <message>
        <source>no page &apos;%1&apos; asks a question. Name one that does.</source>
        <translation>keine Seite „%1“ stellt eine Frage. Nennen Sie eine, die es tut.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be two numbers, the smaller one first: 0 to 10.</source>
        <translation>„%1“ müssen zwei Zahlen sein, die kleinere zuerst: 0 to 10.</translation>
    </message>
    <message>
        <source>&apos;point&apos; must be &apos;object NAME&apos;, &apos;control NAME&apos; or &apos;tab NAME&apos;, not &apos;%1&apos;.</source>
        <translation>„point“ muss „object NAME“, „control NAME“ oder „tab NAME“ sein, nicht „%1“.</translation>
    </message>
    <message>
        <source>&apos;curve&apos; must be loss or accuracy, not &apos;%1&apos;.</source>
        <translation>„curve“ muss loss oder accuracy sein, nicht „%1“.</translation>
    </message>
    <message>
        <source>&apos;feedback&apos; follows the answer that it belongs to.</source>
        <translation>„feedback“ folgt der Antwort, zu der es gehört.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line %2: %3</source>
        <translation>„%1“, Zeile %2: %3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 bytes, which is not a whole number of records of %3 bytes, as in the files of CIFAR-10&apos;s binary version. Fetch or copy the file again.</source>
        <translation>„%1“ hat %2 Bytes; das ist keine ganze Zahl von Einträgen zu %3 Bytes wie in den Dateien der binären Fassung von CIFAR-10. Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>with &apos;%1&apos; there are %2 examples, but at most %3 can be read. Leave some files out.</source>
        <translation>mit „%1“ sind es %2 Beispiele, aber höchstens %3 werden gelesen. Lassen Sie einige Dateien weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the label of record %2 is %3, not one of 0 to 9. The file is not one of CIFAR-10&apos;s binary version, or it is damaged: fetch or copy it again.</source>
        <translation>„%1“: Das Label von Eintrag %2 ist %3, keines von 0 bis 9. Die Datei gehört nicht zur binären Fassung von CIFAR-10, oder sie ist beschädigt: Laden oder kopieren Sie sie neu.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) takes an image of the shape (height, width, channels) but receives %3. Put it before Flatten.</source>
        <translation>die Schicht „%1“ (%2) nimmt ein Bild der Form (Höhe, Breite, Kanäle), bekommt aber %3. Setzen Sie sie vor Flatten.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) takes a list of numbers but receives the shape %3. Put a Flatten before it.</source>
        <translation>die Schicht „%1“ (%2) nimmt eine Liste von Zahlen, bekommt aber die Form %3. Setzen Sie ein Flatten davor.</translation>
    </message>
    <message>
        <source>the window %3 of the layer &apos;%1&apos; (%2) does not fit into %4. Make it smaller, or use padding=&apos;same&apos;.</source>
        <translation>das Fenster %3 der Schicht „%1“ (%2) passt nicht in %4. Machen Sie es kleiner, oder nehmen Sie padding=&apos;same&apos;.</translation>
    </message>
    <message>
        <source>the network has %1 layers, but at most %2 can be computed here. Leave some out.</source>
        <translation>das Netz hat %1 Schichten, aber höchstens %2 werden hier berechnet. Lassen Sie welche weg.</translation>
    </message>
    <message>
        <source>up to the layer &apos;%1&apos; (%2) the network has more than %3 parameters, or more than that many values per example. Use fewer units or filters.</source>
        <translation>bis zur Schicht „%1“ (%2) hat das Netz mehr als %3 Parameter oder mehr als so viele Werte je Beispiel. Nehmen Sie weniger Einheiten oder Filter.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; is a softmax in the middle of the network. Here a softmax is computed only at the end: leave this one out.</source>
        <translation>die Schicht „%1“ ist ein Softmax mitten im Netz. Hier wird Softmax nur am Ende berechnet: Lassen Sie diese Schicht weg.</translation>
    </message>
    <message>
        <source>the network has no variables that could be trained. Add a Dense or a Conv2D layer.</source>
        <translation>das Netz hat keine Variablen, die trainiert werden könnten. Fügen Sie eine Dense- oder Conv2D-Schicht hinzu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not say what its first layer receives. Begin the model with keras.Input(shape), then write it again.</source>
        <translation>„%1“ sagt nicht, was die erste Schicht bekommt. Beginnen Sie das Modell mit keras.Input(shape), und schreiben Sie es neu.</translation>
    </message>
    <message>
        <source>in &apos;%1&apos;, layer number %2 is not a class_name with its config. Write the model again.</source>
        <translation>in „%1“ ist die Schicht Nummer %2 kein class_name mit seiner config. Schreiben Sie das Modell neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, layer %2, &apos;%3&apos; (%4): %5 Change the layer, or leave it out, and write the model again.</source>
        <translation>„%1“, Schicht %2, „%3“ (%4): %5 Ändern Sie die Schicht, oder lassen Sie sie weg, und schreiben Sie das Modell neu.</translation>
    </message>
    <message>
        <source>its %1 is %2, which is not computed here.</source>
        <translation>%1 ist %2, und das wird hier nicht berechnet.</translation>
    </message>
    <message>
        <source>an input in the middle of the network is not computed here.</source>
        <translation>ein Eingang mitten im Netz wird hier nicht berechnet.</translation>
    </message>
    <message>
        <source>--check compares losses, and the layer &apos;%1&apos; computes other numbers in TensorFlow: its own random units, or statistics of its own. Leave --check out.</source>
        <translation>--check vergleicht Verluste, und die Schicht „%1“ rechnet in TensorFlow mit anderen Zahlen: mit eigenen zufälligen Einheiten oder eigenen Statistiken. Lassen Sie --check weg.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>colour</source>
        <translation>colour</translation>
    </message>
    <message>
        <source>the same name with other layers</source>
        <translation>denselben Namen mit anderen Schichten</translation>
    </message>
    <message>
        <source>network</source>
        <translation>das Netz</translation>
    </message>
    <message>
        <source>the MPI module &apos;%1&apos; cannot be opened: %2</source>
        <translation>das MPI-Modul „%1“ lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not an MPI module of this program: build both together</source>
        <translation>„%1“ ist kein MPI-Modul dieses Programms: Bauen Sie beide zusammen</translation>
    </message>
    <message>
        <source>the MPI module beside the program is of another build (%1 instead of %2): build both together</source>
        <translation>das MPI-Modul neben dem Programm stammt aus einem anderen Bau (%1 statt %2): Bauen Sie beide zusammen</translation>
    </message>
    <message>
        <source>this MPI does not support MPI_THREAD_MULTIPLE: install Open MPI 4.1 or newer</source>
        <translation>dieses MPI unterstützt MPI_THREAD_MULTIPLE nicht: Installieren Sie Open MPI 4.1 oder neuer</translation>
    </message>
    <message>
        <source>%1 processes: %2. Use %1 simulated or %1 cpu.</source>
        <translation>%1 processes: %2. Nehmen Sie %1 simulated oder %1 cpu.</translation>
    </message>
    <message>
        <source>%1 processes: this program was not started together with others. Start it with `strategylab-cli launch --workers 2`, or with mpirun or srun.</source>
        <translation>%1 processes: Dieses Programm wurde nicht zusammen mit anderen gestartet. Starten Sie es mit `strategylab-cli launch --workers 2`, oder mit mpirun oder srun.</translation>
    </message>
    <message>
        <source>%1 processes: %2 processes were started, but MPI joins only 1 of them. Use Open MPI&apos;s own mpirun, or srun --mpi=pmix.</source>
        <translation>%1 processes: %2 Prozesse wurden gestartet, aber MPI verbindet nur 1 davon. Nehmen Sie Open MPIs eigenes mpirun, oder srun --mpi=pmix.</translation>
    </message>
    <message>
        <source>worker %1 (process %3 on %2)</source>
        <translation>Worker %1 (Prozess %3 auf %2)</translation>
    </message>
    <message>
        <source>the start-up</source>
        <translation>dem Start</translation>
    </message>
    <message>
        <source>the broadcast of the initial weights</source>
        <translation>dem Broadcast der Startgewichte</translation>
    </message>
    <message>
        <source>the all-reduce of step %1</source>
        <translation>dem All-Reduce von Schritt %1</translation>
    </message>
    <message>
        <source>the end of step %1</source>
        <translation>dem Ende von Schritt %1</translation>
    </message>
    <message>
        <source>the beginning of step %1</source>
        <translation>dem Beginn von Schritt %1</translation>
    </message>
    <message>
        <source>the record of step %1</source>
        <translation>der Aufzeichnung von Schritt %1</translation>
    </message>
    <message>
        <source>the evaluation after step %1</source>
        <translation>der Auswertung nach Schritt %1</translation>
    </message>
    <message>
        <source>the end of the run</source>
        <translation>dem Ende des Laufs</translation>
    </message>
    <message>
        <source>%1 runs version %2, and worker 0 version %3. Install the same version on all hosts.</source>
        <translation>%1 hat Version %2, Worker 0 hat Version %3. Installieren Sie auf allen Hosts dieselbe Version.</translation>
    </message>
    <message>
        <source>%1 computes with %2, and worker 0 with %3, whose results differ in their last bits. Set STRATEGYLAB_CPU_PATH=%4 for all processes.</source>
        <translation>%1 rechnet mit %2, Worker 0 mit %3; die Ergebnisse unterscheiden sich in den letzten Bits. Setzen Sie für alle Prozesse STRATEGYLAB_CPU_PATH=%4.</translation>
    </message>
    <message>
        <source>%1 was given %2 &apos;%3&apos;, and worker 0 &apos;%4&apos;. Start all processes with the same options.</source>
        <translation>%1 bekam für %2 „%3“, Worker 0 „%4“. Starten Sie alle Prozesse mit denselben Optionen.</translation>
    </message>
    <message>
        <source>%1 has other examples (%2, from %3) than worker 0 (%4, from %5). Put the same data on all hosts.</source>
        <translation>%1 hat andere Beispiele (%2, aus %3) als Worker 0 (%4, aus %5). Legen Sie auf allen Hosts dieselben Daten ab.</translation>
    </message>
    <message>
        <source>TF_CONFIG of %1 says that it is task %2 of type &apos;%3&apos;. Give each process its own: task i of type worker to rank i; `launch` does so.</source>
        <translation>TF_CONFIG von %1 sagt, es sei Task %2 vom Typ „%3“. Geben Sie jedem Prozess sein eigenes: Task i vom Typ worker dem Rang i; `launch` tut das.</translation>
    </message>
    <message>
        <source>TF_CONFIG of %1 names %2 workers, but %3 processes were started. Start as many processes as it names workers.</source>
        <translation>TF_CONFIG von %1 nennt %2 Worker, gestartet wurden aber %3 Prozesse. Starten Sie so viele Prozesse, wie es Worker nennt.</translation>
    </message>
    <message>
        <source>TF_CONFIG of %1 names different workers from that of worker 0. Give all processes the same cluster.</source>
        <translation>TF_CONFIG von %1 nennt andere Worker als das von Worker 0. Geben Sie allen Prozessen denselben Cluster.</translation>
    </message>
    <message>
        <source>it has no cluster with a list of workers</source>
        <translation>es hat keinen Cluster mit einer Liste von Workern</translation>
    </message>
    <message>
        <source>its cluster has tasks of type &apos;%1&apos;; MultiWorkerMirroredStrategy has only workers</source>
        <translation>sein Cluster hat Tasks vom Typ „%1“; MultiWorkerMirroredStrategy hat nur Worker</translation>
    </message>
    <message>
        <source>the worker &apos;%1&apos; is not of the form host:port</source>
        <translation>der Worker „%1“ hat nicht die Form host:port</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>%1 processes: %2 runs in one process. Use --strategy multi-worker-mirrored, or %1 cpu.</source>
        <translation>%1 processes: %2 läuft in einem Prozess. Nehmen Sie --strategy multi-worker-mirrored, oder %1 cpu.</translation>
    </message>
    <message>
        <source>%1 needs the gradients of all replicas in one process. Use --devices cpu or simulated, or leave it out.</source>
        <translation>%1 braucht die Gradienten aller Replikate in einem Prozess. Nehmen Sie --devices cpu oder simulated, oder lassen Sie es weg.</translation>
    </message>
    <message>
        <source>%1 needs simulated devices: time of real processes is measured, not modelled. Use --devices simulated.</source>
        <translation>%1 braucht simulierte Geräte: Bei echten Prozessen wird Zeit gemessen, nicht modelliert. Nehmen Sie --devices simulated.</translation>
    </message>
    <message>
        <source>%1 %2: each real process is a host, and there are %3. Leave %1 out, or start %2.</source>
        <translation>%1 %2: Jeder echte Prozess ist ein Host, und es sind %3. Lassen Sie %1 weg, oder starten Sie %2.</translation>
    </message>
    <message>
        <source>%1 %2: MPI_Allreduce works between real processes. Use `strategylab-cli launch`, or %1 ring.</source>
        <translation>%1 %2: MPI_Allreduce arbeitet zwischen echten Prozessen. Nehmen Sie `strategylab-cli launch`, oder %1 ring.</translation>
    </message>
    <message>
        <source>the replicas&apos; copies differ, so no checkpoint of step %1 was written. Check whether all hosts have the same kind of processor, then start again.</source>
        <translation>die Kopien der Replikate unterscheiden sich, daher wurde von Schritt %1 kein Checkpoint geschrieben. Prüfen Sie, ob alle Hosts dieselbe Art Prozessor haben, und beginnen Sie neu.</translation>
    </message>
    <message>
        <source>between processes of one host</source>
        <translation>zwischen Prozessen eines Hosts</translation>
    </message>
    <message>
        <source>network between hosts</source>
        <translation>Netz zwischen Hosts</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>gradients added</source>
        <translation>Gradienten addiert</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>start-up</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>9 in 10 published steps like it</source>
        <translation>9 von 10 veröffentlichten Schritten dieser Art</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>%1 more tracks are not drawn.</source>
        <translation>%1 weitere Spuren sind nicht gezeichnet.</translation>
    </message>
    <message>
        <source>The steps on one scale</source>
        <translation>Die Schritte auf einer Skala</translation>
    </message>
    <message>
        <source>&apos;compare&apos; is not valid: %1</source>
        <translation>„compare“ ist nicht gültig: %1</translation>
    </message>
    <message>
        <source>&apos;compare&apos; names more than %1 strategies, and there is no room for more.</source>
        <translation>„compare“ nennt mehr als %1 Strategien, und für mehr ist kein Platz.</translation>
    </message>
    <message>
        <source>the file&apos;s comparison cannot be read: this version does not know &apos;%1&apos;. Update StrategyLab, or choose the lanes again.</source>
        <translation>Der Vergleich der Datei lässt sich nicht lesen: Diese Version kennt „%1“ nicht. Aktualisieren Sie StrategyLab, oder wählen Sie die Bahnen neu.</translation>
    </message>
    <message>
        <source>cannot start %1: %2. Check whether it is installed and may be run.</source>
        <translation>%1 lässt sich nicht starten: %2. Prüfen Sie, ob es installiert ist und ausgeführt werden darf.</translation>
    </message>
    <message>
        <source>Open MPI starts nothing as root unless it is told to: a mistake could harm the whole system. Start this as another user, or set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.</source>
        <translation>Open MPI startet als root nichts, wenn man es nicht ausdrücklich erlaubt: Ein Fehler könnte dem ganzen System schaden. Starten Sie dies als anderer Benutzer, oder setzen Sie OMPI_ALLOW_RUN_AS_ROOT=1 und OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1.</translation>
    </message>
    <message>
        <source>%1 %2 cannot be spread evenly over the %4 of %3. Give a multiple of %4.</source>
        <translation>%1 %2 lassen sich nicht gleichmäßig auf die %4 von %3 verteilen. Geben Sie ein Vielfaches von %4 an.</translation>
    </message>
    <message>
        <source>%1 %2: the cluster&apos;s file names %3. Leave %1 out.</source>
        <translation>%1 %2: Die Datei des Clusters nennt %3. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>Scale the learning rate by global batch / 64, or by the square root of that; staleness (parameter-server): divide each update&apos;s rate by the number of updates that its gradient has missed</source>
        <translation>Die Lernrate mit globaler Batch / 64 skalieren, oder mit der Wurzel daraus; staleness (parameter-server): die Rate jedes Updates durch die Zahl der Updates teilen, die sein Gradient verpasst hat</translation>
    </message>
    <message>
        <source>staleness</source>
        <translation>Staleness</translation>
    </message>
    <message>
        <source>the step on the stage ended with an error</source>
        <translation>der Schritt auf der Bühne endete mit einem Fehler</translation>
    </message>
    <message>
        <source>tasks that are dead when the step on the stage ends</source>
        <translation>Tasks, die tot sind, wenn der Schritt auf der Bühne endet</translation>
    </message>
    <message>
        <source>a task was killed or cut off in this run: killed(worker)</source>
        <translation>eine Task wurde in diesem Lauf getötet oder abgeschnitten: killed(worker)</translation>
    </message>
    <message>
        <source>a task came back in this run: revived(worker)</source>
        <translation>eine Task kam in diesem Lauf zurück: revived(worker)</translation>
    </message>
    <message>
        <source>task</source>
        <translation>Task</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a fault. Write kill, cut or revive, a task, and the step: kill worker 1 in 3.</source>
        <translation>„%1“ ist kein Ausfall. Schreiben Sie kill, cut oder revive, eine Task und den Schritt: kill worker 1 in 3.</translation>
    </message>
    <message>
        <source>the MPI module &apos;%1&apos; is missing: the program was built without MPI, or installed without that file (Debian: install libopenmpi-dev and openmpi-bin, then build again)</source>
        <translation>das MPI-Modul „%1“ fehlt: Das Programm wurde ohne MPI gebaut oder ohne diese Datei installiert (Debian: libopenmpi-dev und openmpi-bin installieren, dann neu bauen)</translation>
    </message>
    <message>
        <source>worker %1 on %2</source>
        <translation>Worker %1 auf %2</translation>
    </message>
    <message>
        <source>%1 runs side by side</source>
        <translation>%1 Läufe nebeneinander</translation>
    </message>
    <message>
        <source>the network receives examples of the shape %1. Use (height, width, channels) or a list of numbers, each extent from 1 to %2.</source>
        <translation>das Netz bekommt Beispiele der Form %1. Nehmen Sie (Höhe, Breite, Kanäle) oder eine Liste von Zahlen, jede Ausdehnung von 1 bis %2.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not a TF_CONFIG for this strategy: %3. Write a cluster with a list of workers, each host:port, as in TensorFlow.</source>
        <translation>%1: „%2“ ist kein TF_CONFIG für diese Strategie: %3. Schreiben Sie einen Cluster mit einer Liste von Workern, jeder host:port, wie in TensorFlow.</translation>
    </message>
    <message>
        <source>T-shirt</source>
        <translation>T-Shirt</translation>
    </message>
    <message>
        <source>trousers</source>
        <translation>Hose</translation>
    </message>
    <message>
        <source>pullover</source>
        <translation>Pullover</translation>
    </message>
    <message>
        <source>dress</source>
        <translation>Kleid</translation>
    </message>
    <message>
        <source>coat</source>
        <translation>Mantel</translation>
    </message>
    <message>
        <source>sandal</source>
        <translation>Sandale</translation>
    </message>
    <message>
        <source>shirt</source>
        <translation>Hemd</translation>
    </message>
    <message>
        <source>sneaker</source>
        <translation>Turnschuh</translation>
    </message>
    <message>
        <source>bag</source>
        <translation>Tasche</translation>
    </message>
    <message>
        <source>ankle boot</source>
        <translation>Stiefelette</translation>
    </message>
    <message>
        <source>airplane</source>
        <translation>Flugzeug</translation>
    </message>
    <message>
        <source>automobile</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>bird</source>
        <translation>Vogel</translation>
    </message>
    <message>
        <source>cat</source>
        <translation>Katze</translation>
    </message>
    <message>
        <source>deer</source>
        <translation>Hirsch</translation>
    </message>
    <message>
        <source>dog</source>
        <translation>Hund</translation>
    </message>
    <message>
        <source>frog</source>
        <translation>Frosch</translation>
    </message>
    <message>
        <source>horse</source>
        <translation>Pferd</translation>
    </message>
    <message>
        <source>ship</source>
        <translation>Schiff</translation>
    </message>
    <message>
        <source>truck</source>
        <translation>Lastwagen</translation>
    </message>
    <message>
        <source>exchange sums</source>
        <translation>Summen austauschen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was not found (Debian: install openmpi-bin)</source>
        <translation>„%1“ wurde nicht gefunden (Debian: openmpi-bin installieren)</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not the name of a host. Give names with commas between them, or a file in the form of TF_CONFIG.</source>
        <translation>%1: „%2“ ist kein Name eines Hosts. Geben Sie Namen mit Kommas dazwischen an oder eine Datei in der Form von TF_CONFIG.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; appears twice. Name each host once; the workers are spread evenly over the hosts.</source>
        <translation>%1: „%2“ steht zweimal da. Nennen Sie jeden Host einmal; die Worker werden gleichmäßig auf die Hosts verteilt.</translation>
    </message>
    <message>
        <source>What the replicas run on: simulated devices with a virtual clock, this processor in real time, GPUs, or real processes, which Open MPI starts</source>
        <translation>Worauf die Replikate laufen: simulierte Geräte mit virtueller Uhr, dieser Prozessor in Echtzeit, GPUs oder echte Prozesse, die Open MPI startet</translation>
    </message>
    <message>
        <source>Worker hosts</source>
        <translation>Hosts der Worker</translation>
    </message>
    <message>
        <source>Hosts of real processes: names with commas between them, reached by ssh, or a TF_CONFIG file</source>
        <translation>Hosts der echten Prozesse: Namen mit Kommas dazwischen, über ssh erreichbar, oder eine TF_CONFIG-Datei</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>the data that the processes send cannot be read. Install the same version of the program on all hosts, then start again.</source>
        <translation>die Daten, die die Prozesse schicken, lassen sich nicht lesen. Installieren Sie auf allen Hosts dieselbe Version des Programms und starten Sie noch einmal.</translation>
    </message>
    <message>
        <source>the processes train on %1, but this window has %2. Put the same data on all hosts, and start again.</source>
        <translation>die Prozesse trainieren auf %1, aber dieses Fenster hat %2. Legen Sie auf allen Hosts dieselben Daten ab und starten Sie noch einmal.</translation>
    </message>
    <message>
        <source>%1 was ended by signal %2 after step %3, and Open MPI ended the others with it. %4</source>
        <translation>%1 wurde nach Schritt %3 durch Signal %2 beendet, und Open MPI hat die anderen mit ihm beendet. %4</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>mpirun ended with code %1 after step %2: %3 %4</source>
        <translation>mpirun endete mit Code %1 nach Schritt %2: %3 %4</translation>
    </message>
    <message>
        <source>the processes have not been heard from for %1 s, so they were ended, after step %2. %3</source>
        <translation>von den Prozessen war %1 s lang nichts zu hören, darum wurden sie nach Schritt %2 beendet. %3</translation>
    </message>
    <message>
        <source>There is no checkpoint yet: start the run again.</source>
        <translation>Es gibt noch keinen Checkpoint: Starten Sie den Lauf noch einmal.</translation>
    </message>
    <message>
        <source>a run on real processes cannot go back to an earlier step. Use %1 simulated, which has the same bits.</source>
        <translation>ein Lauf auf echten Prozessen kann nicht zu einem früheren Schritt zurück. Nehmen Sie %1 simulated, das dieselben Bits hat.</translation>
    </message>
    <message>
        <source>step %1 is not stored: a run on real processes stores only the steps that were shown while it trained. Choose another step, or use %2 simulated, which has the same bits.</source>
        <translation>Schritt %1 ist nicht gespeichert: Ein Lauf auf echten Prozessen speichert nur die Schritte, die beim Trainieren gezeigt wurden. Wählen Sie einen anderen Schritt oder nehmen Sie %2 simulated, das dieselben Bits hat.</translation>
    </message>
    <message>
        <source>It is neither a PNG nor a JPEG file.</source>
        <translation>Es ist weder eine PNG- noch eine JPEG-Datei.</translation>
    </message>
    <message>
        <source>It is damaged or cut short (%1).</source>
        <translation>Sie ist beschädigt oder abgeschnitten (%1).</translation>
    </message>
    <message>
        <source>It has %1×%2 pixels, more than can be read here.</source>
        <translation>Sie hat %1×%2 Pixel, mehr, als hier gelesen werden.</translation>
    </message>
    <message>
        <source>The file lies beside the class folders, not in one of them.</source>
        <translation>Die Datei liegt neben den Ordnern der Klassen, in keinem davon.</translation>
    </message>
    <message>
        <source>Folders inside a class folder are not read.</source>
        <translation>Ordner im Ordner einer Klasse werden nicht gelesen.</translation>
    </message>
    <message>
        <source>No picture in it can be read.</source>
        <translation>Kein Bild darin lässt sich lesen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has pictures of one class only, &apos;%2&apos;, but training needs at least two classes. Put pictures of another class into a second folder.</source>
        <translation>„%1“ enthält nur Bilder einer Klasse, „%2“, aber das Training braucht mindestens zwei Klassen. Legen Sie Bilder einer anderen Klasse in einen zweiten Ordner.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has pictures of %2 classes, but networks here tell at most %3 apart. Remove some folders.</source>
        <translation>„%1“ enthält Bilder von %2 Klassen, aber Netze unterscheiden hier höchstens %3. Nehmen Sie einige Ordner heraus.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 files, but at most %3 can be read. Remove some.</source>
        <translation>„%1“ enthält %2 Dateien, aber höchstens %3 werden gelesen. Nehmen Sie einige heraus.</translation>
    </message>
    <message>
        <source>of the pictures in &apos;%1&apos;, %2 are for training and %3 for testing (one in five, chosen by its bytes), but each needs at least one. Add pictures.</source>
        <translation>von den Bildern in „%1“ dienen %2 zum Trainieren und %3 zum Testen (etwa jedes fünfte, nach seinen Bytes gewählt), aber für beides ist mindestens eines nötig. Fügen Sie Bilder hinzu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; lacks %2. CIFAR-10 is data_batch_1 to data_batch_5 and test_batch, all with .bin (the binary version) or all without (the Python version): put all of them there.</source>
        <translation>In „%1“ fehlt %2. CIFAR-10 ist data_batch_1 bis data_batch_5 und test_batch, alle mit .bin (die binäre Fassung) oder alle ohne (die Python-Fassung): Legen Sie alle dorthin.</translation>
    </message>
    <message>
        <source>cifar10 is not on this machine. Looked in:%1
Run &apos;strategylab-cli data fetch cifar10&apos;, or name the folder that holds it with --data-dir.</source>
        <translation>cifar10 ist nicht auf diesem Rechner. Gesucht in:%1
Führen Sie „strategylab-cli data fetch cifar10“ aus, oder nennen Sie mit --data-dir den Ordner, der es enthält.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a batch of the published Python version of CIFAR-10: %2 Fetch or copy the file again.</source>
        <translation>„%1“ ist kein Teil der veröffentlichten Python-Fassung von CIFAR-10: %2 Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>it ends too early.</source>
        <translation>sie endet zu früh.</translation>
    </message>
    <message>
        <source>at byte %1 it has an operation that no such file has.</source>
        <translation>bei Byte %1 hat sie eine Operation, die keine solche Datei hat.</translation>
    </message>
    <message>
        <source>it calls &apos;%1 %2&apos;, but programs in files are not run.</source>
        <translation>sie ruft „%1 %2“ auf, aber Programme in Dateien werden nicht ausgeführt.</translation>
    </message>
    <message>
        <source>it has more values than any such file.</source>
        <translation>sie hat mehr Werte als jede solche Datei.</translation>
    </message>
    <message>
        <source>it does not hold a dict.</source>
        <translation>sie enthält kein dict.</translation>
    </message>
    <message>
        <source>its &apos;data&apos; are not 3,072 bytes per image.</source>
        <translation>ihre „data“ sind nicht 3.072 Bytes je Bild.</translation>
    </message>
    <message>
        <source>it does not have as many &apos;labels&apos; as images.</source>
        <translation>sie hat nicht so viele „labels“ wie Bilder.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is damaged: it is not a complete tar archive. Fetch or copy the file again.</source>
        <translation>„%1“ ist beschädigt: Es ist kein vollständiges tar-Archiv. Laden oder kopieren Sie die Datei neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; lacks %2. Fetch it again.</source>
        <translation>In „%1“ fehlt %2. Laden Sie es neu.</translation>
    </message>
    <message>
        <source>its dtype is %1, but only float32 is computed here.</source>
        <translation>ihr dtype ist %1, aber hier wird nur float32 berechnet.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a .keras file that can be read: %2 Save the model again with model.save(&apos;NAME.keras&apos;).</source>
        <translation>„%1“ ist keine .keras-Datei, die sich lesen lässt: %2 Speichern Sie das Modell neu mit model.save(&apos;NAME.keras&apos;).</translation>
    </message>
    <message>
        <source>it has no %1.</source>
        <translation>sie hat kein %1.</translation>
    </message>
    <message>
        <source>its %1 cannot be read (%2).</source>
        <translation>ihr %1 lässt sich nicht lesen (%2).</translation>
    </message>
    <message>
        <source>its %1 is larger than %2.</source>
        <translation>ihr %1 ist größer als %2.</translation>
    </message>
    <message>
        <source>its weights are not an HDF5 file, or the file is damaged.</source>
        <translation>ihre Gewichte sind keine HDF5-Datei, oder die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>its weights have no group &apos;layers&apos;, as Keras 3 writes it.</source>
        <translation>ihre Gewichte haben keine Gruppe „layers“, wie Keras 3 sie schreibt.</translation>
    </message>
    <message>
        <source>its weights need more memory than allowed.</source>
        <translation>ihre Gewichte brauchen mehr Speicher als erlaubt.</translation>
    </message>
    <message>
        <source>its weights point to other files, which are not read.</source>
        <translation>ihre Gewichte verweisen auf andere Dateien, die nicht gelesen werden.</translation>
    </message>
    <message>
        <source>HDF5&apos;s library cannot read its weights.</source>
        <translation>die HDF5-Bibliothek kann ihre Gewichte nicht lesen.</translation>
    </message>
    <message>
        <source>HDF5&apos;s library crashed while it read the weights (signal %1). It ran in a separate process.</source>
        <translation>die HDF5-Bibliothek ist beim Lesen der Gewichte abgestürzt (Signal %1). Sie lief in einem eigenen Prozess.</translation>
    </message>
    <message>
        <source>reading its weights took longer than %1 s.</source>
        <translation>das Lesen ihrer Gewichte dauerte länger als %1 s.</translation>
    </message>
    <message>
        <source>HDF5&apos;s library could not write the weights (%1). Save them as .safetensors, or free some memory.</source>
        <translation>die HDF5-Bibliothek konnte die Gewichte nicht schreiben (%1). Speichern Sie sie als .safetensors, oder geben Sie Speicher frei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing. It reads and writes the weights of .keras files. Install the program again, or use .safetensors.</source>
        <translation>„%1“ fehlt. Es liest und schreibt die Gewichte von .keras-Dateien. Installieren Sie das Programm neu, oder verwenden Sie .safetensors.</translation>
    </message>
    <message>
        <source>The network: course, cifar10, mlp, resnet20, or a file from Keras: .keras, with initial weights, or the output of model.to_json()</source>
        <translation>Das Netz: course, cifar10, mlp, resnet20 oder eine Datei von Keras: .keras, mit Startgewichten, oder die Ausgabe von model.to_json()</translation>
    </message>
    <message>
        <source>Folder with the data set&apos;s files; for colour: a folder with a folder of PNG or JPEG files for each class</source>
        <translation>Ordner mit den Dateien des Datensatzes; für colour: ein Ordner, der für jede Klasse einen Ordner mit PNG- oder JPEG-Dateien hat</translation>
    </message>
    <message>
        <source>%1 %2 takes examples of the shape %3, which pictures cannot be scaled to. Use a network that begins with (height, width, 3) or (height, width, 1).</source>
        <translation>%1 %2 nimmt Beispiele der Form %3, auf die sich Bilder nicht bringen lassen. Nehmen Sie ein Netz, das mit (Höhe, Breite, 3) oder (Höhe, Breite, 1) beginnt.</translation>
    </message>
    <message>
        <source>%1 could not be ended: mpirun did not reach it (%2). End it on that host.</source>
        <translation>%1 konnte nicht beendet werden: mpirun hat ihn nicht erreicht (%2). Beenden Sie ihn auf dem Host dort.</translation>
    </message>
    <message>
        <source>Worker devices</source>
        <translation>Geräte der Worker</translation>
    </message>
    <message>
        <source>%1 %2: NCCL works between GPUs, but the processes compute on processors. Use --worker-devices cuda, or %1 ring.</source>
        <translation>%1 %2: NCCL arbeitet zwischen GPUs, aber die Prozesse rechnen auf Prozessoren. Nehmen Sie --worker-devices cuda oder %1 ring.</translation>
    </message>
    <message>
        <source>%1 cuda: %2 cannot use a GPU: %3. Use %1 cpu, or hosts that have GPUs.</source>
        <translation>%1 cuda: %2 kann keine GPU verwenden: %3. Nehmen Sie %1 cpu oder Hosts, die GPUs haben.</translation>
    </message>
    <message>
        <source>%1 %2: %3 cannot use NCCL: %4. Use %1 ring, or install NCCL there.</source>
        <translation>%1 %2: %3 kann NCCL nicht verwenden: %4. Nehmen Sie %1 ring, oder installieren Sie NCCL dort.</translation>
    </message>
    <message>
        <source>%1 %2: NCCL needs a GPU for each replica, and replicas %3 and %4 share one of %5&apos;s. Use fewer replicas, or %1 ring.</source>
        <translation>%1 %2: NCCL braucht für jedes Replikat eine GPU, und die Replikate %3 und %4 teilen sich eine von %5. Nehmen Sie weniger Replikate oder %1 ring.</translation>
    </message>
    <message>
        <source>What real processes compute on: the processor, or the GPUs of their hosts</source>
        <translation>Worauf echte Prozesse rechnen: auf dem Prozessor oder auf den GPUs ihrer Hosts</translation>
    </message>
    <message>
        <source>%1 %2 has %3 outputs, but %4 has %5 classes. Choose a network whose last layer has one output per class, or choose other examples.</source>
        <translation>%1 %2 hat %3 Ausgänge, aber %4 hat %5 Klassen. Nehmen Sie ein Netz, dessen letzte Schicht einen Ausgang je Klasse hat, oder andere Beispiele.</translation>
    </message>
    <message>
        <source>%1 has a different network from worker 0, in a file of the same name. Install the same version on all hosts, and start again.</source>
        <translation>%1 hat ein anderes Netz als Worker 0, in einer Datei gleichen Namens. Installieren Sie auf allen Hosts dieselbe Version und starten Sie neu.</translation>
    </message>
    <message>
        <source>the files of this run did not arrive whole on standard input. Start it with `strategylab-cli launch`, or from the window.</source>
        <translation>die Dateien dieses Laufs kamen auf der Standardeingabe nicht vollständig an. Starten Sie ihn mit „strategylab-cli launch“ oder im Fenster.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not on host &apos;%2&apos;. Install the same version there, at the same place, and start again.</source>
        <translation>„%1“ gibt es auf dem Host „%2“ nicht. Installieren Sie dort dieselbe Version am selben Ort und starten Sie neu.</translation>
    </message>
    <message>
        <source>%1 cannot read its examples: %2</source>
        <translation>%1 kann seine Beispiele nicht lesen: %2</translation>
    </message>
    <message>
        <source>no worker has said anything for %1 s. Check that mpirun reaches all hosts, then start again; a longer waiting time can be set with %2. %3</source>
        <translation>seit %1 s hat kein Worker etwas gesagt. Prüfen Sie, ob mpirun alle Hosts erreicht, und starten Sie dann neu; eine längere Wartezeit lässt sich mit %2 angeben. %3</translation>
    </message>
    <message>
        <source>mpirun ended with code %1 before the run began: %2</source>
        <translation>mpirun endete mit Code %1, bevor der Lauf begann: %2</translation>
    </message>
    <message>
        <source>Resume continues from the checkpoint of step %1, in %2 on %3.</source>
        <translation>Fortsetzen beginnt beim Checkpoint von Schritt %1, in %2 auf %3.</translation>
    </message>
    <message>
        <source>this program was built without downloads</source>
        <translation>dieses Programm wurde ohne Downloads gebaut</translation>
    </message>
    <message>
        <source>mpirun does not reach host &apos;%1&apos;: %2. Check that the name is right and that `ssh %1` asks for no password, then start again.</source>
        <translation>mpirun erreicht den Host „%1“ nicht: %2. Prüfen Sie, ob der Name stimmt und „ssh %1“ nach keinem Passwort fragt, und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>It is a broken link, or not a regular file.</source>
        <translation>Sie ist ein Verweis ins Leere oder keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>its %1 is missing.</source>
        <translation>%1 fehlt.</translation>
    </message>
    <message>
        <source>it is computed here only once, in front of all others, with the scale 1/255 and the offset 0, since examples are always rescaled that way.</source>
        <translation>sie wird hier nur einmal berechnet, vor allen anderen, mit scale 1/255 und offset 0, denn so werden die Beispiele immer skaliert.</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>eine HDF5-Datei</translation>
    </message>
    <message>
        <source>a SavedModel</source>
        <translation>ein SavedModel</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was compiled with the optimizer %2 and the loss %3. Optimizer and learning rate are taken from the settings, and the loss is sparse cross-entropy.</source>
        <translation>„%1“ wurde mit dem Optimierer %2 und dem Verlust %3 kompiliert. Optimierer und Lernrate kommen aus den Einstellungen, und der Verlust ist Sparse Cross-Entropy.</translation>
    </message>
    <message>
        <source>The Rescaling of &apos;%1&apos; is left out, since the examples are already rescaled: a saved .keras file takes pixels from 0 to 1.</source>
        <translation>Das Rescaling von „%1“ entfällt, denn die Beispiele kommen schon skaliert an: eine gespeicherte .keras-Datei nimmt Pixel von 0 bis 1.</translation>
    </message>
    <message>
        <source>no lesson is called &apos;%1&apos;, and there is no such file. Built in are: %2. To use your own lesson, give its file, with folder and .lesson.</source>
        <translation>keine Lektion heißt „%1“, und eine Datei dieses Namens gibt es nicht. Eingebaut sind: %2. Eine eigene Lektion ist eine Datei: Geben Sie sie mit Ordner und .lesson an.</translation>
    </message>
    <message>
        <source>mpirun does not accept an address such as &apos;%1&apos; for a host. Write the host&apos;s name instead.</source>
        <translation>mpirun nimmt für einen Host keine Adresse wie „%1“ an. Schreiben Sie stattdessen seinen Namen.</translation>
    </message>
    <message>
        <source>the worker &apos;%1&apos; appears twice</source>
        <translation>der Worker „%1“ steht zweimal darin</translation>
    </message>
    <message>
        <source>mpirun was ended by signal %1 after step %2, and the processes with it. %3</source>
        <translation>mpirun wurde nach Schritt %2 durch Signal %1 beendet, und mit ihm die Prozesse. %3</translation>
    </message>
    <message>
        <source>mpirun ended with code %1 after step %2 and did not say why. %3</source>
        <translation>mpirun endete nach Schritt %2 mit Code %1 und sagte nicht, warum. %3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2, which is neither read nor written here. Use a .keras file: Keras writes one with model.save(&apos;NAME.keras&apos;), and opens those that are written here.</source>
        <translation>„%1“ ist %2, was hier weder gelesen noch geschrieben wird. Nehmen Sie eine .keras-Datei: Keras schreibt sie mit model.save(&apos;NAME.keras&apos;) und öffnet die hier geschriebenen.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not text, so it is not a table. Name a file of comma-separated values.</source>
        <translation>„%1“ ist kein Text und damit keine Tabelle. Nennen Sie eine Datei mit Werten, die durch Kommas getrennt sind.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is empty. Name a file whose first line has the names of the columns.</source>
        <translation>„%1“ ist leer. Nennen Sie eine Datei, deren erste Zeile die Namen der Spalten hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;, line 1: it holds only numbers. Write the names of the columns into the first line.</source>
        <translation>„%1“, Zeile 1: Dort stehen nur Zahlen. Schreiben Sie die Namen der Spalten in die erste Zeile.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: no values follow the names of the columns. Name a file that has some.</source>
        <translation>„%1“: Auf die Namen der Spalten folgen keine Werte. Nennen Sie eine Datei, die welche hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: no column has numbers, so there is nothing to plot. Name another file.</source>
        <translation>„%1“: Keine Spalte hat Zahlen, es gibt also nichts zu zeichnen. Nennen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>%1 and --steps both say how long to train. Give one of the two.</source>
        <translation>%1 und --steps sagen beide, wie lange trainiert wird. Geben Sie eines von beiden an.</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: weights are written as .safetensors or .keras. Give the file one of these endings.</source>
        <translation>%1 „%2“: Gewichte werden als .safetensors oder .keras geschrieben. Geben Sie der Datei eine dieser Endungen.</translation>
    </message>
    <message>
        <source>%1 %2 takes examples of the shape %3, but those of --dataset %4 have the shape %5. Choose a network for this shape, or other examples.</source>
        <translation>%1 %2 nimmt Beispiele der Form %3, aber die von --dataset %4 haben die Form %5. Wählen Sie ein Netz für diese Form oder andere Beispiele.</translation>
    </message>
    <message>
        <source>runs that have not ended: %1</source>
        <translation>Läufe, die nicht zu Ende sind: %1</translation>
    </message>
    <message>
        <source>batch sizes that reached the target: %1, of at least three needed</source>
        <translation>Batchgrößen, die das Ziel erreichten: %1, von mindestens drei nötigen</translation>
    </message>
    <message>
        <source>it lies outside the batches tried</source>
        <translation>er liegt außerhalb der ausprobierten Batches</translation>
    </message>
    <message>
        <source>%1 %2: &apos;%3&apos; has no ports for it. Give one of these, or leave %1 out: %4.</source>
        <translation>%1 %2: „%3“ hat dafür keine Anschlüsse. Geben Sie eines von diesen an oder lassen Sie %1 weg: %4.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, not a whole number from 1 to %2. Correct it or leave it empty.</source>
        <translation>ist „%1“, keine ganze Zahl von 1 bis %2. Berichtigen Sie das, oder lassen Sie die Zelle leer.</translation>
    </message>
    <message>
        <source>%1 devices on one host: &apos;%2&apos; joins %3 at most. The times are extrapolated and have no error band. Put the devices on more hosts.</source>
        <translation>%1 Geräte an einem Host: „%2“ verbindet höchstens %3. Die Zeiten sind extrapoliert und haben kein Fehlerband. Verteilen Sie die Geräte auf mehr Hosts.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no ports for &apos;%2&apos;. The times are extrapolated and have no error band. Choose a link that it has: %3.</source>
        <translation>„%1“ hat keine Anschlüsse für „%2“. Die Zeiten sind extrapoliert und haben kein Fehlerband. Wählen Sie einen Link, den es hat: %3.</translation>
    </message>
    <message>
        <source>Where a step&apos;s time went</source>
        <translation>Wohin die Zeit eines Schritts ging</translation>
    </message>
    <message>
        <source>A steady rate counts only full batches; the mean of a run includes the remainder of each epoch.</source>
        <translation>Eine stationäre Rate zählt nur volle Batches; das Mittel eines Laufs enthält auch den Rest jeder Epoche.</translation>
    </message>
    <message>
        <source>%1. There is no file of that name either.</source>
        <translation>%1. Auch eine Datei dieses Namens gibt es nicht.</translation>
    </message>
    <message>
        <source>%1 %2: it joins only devices of one host. Give a network, such as eth_100g or ib_hdr, or leave %1 out.</source>
        <translation>%1 %2: Das verbindet nur Geräte eines Hosts. Geben Sie ein Netz an, etwa eth_100g oder ib_hdr, oder lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; joins only devices of one host. Between hosts its times are extrapolated and have no error band. Choose a network between the hosts.</source>
        <translation>„%1“ verbindet nur Geräte eines Hosts. Zwischen Hosts sind seine Zeiten extrapoliert und haben kein Fehlerband. Wählen Sie ein Netz zwischen den Hosts.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no bfloat16 units: modelled at its float32 rate.</source>
        <translation>„%1“ hat keine Einheiten für bfloat16: mit der Rate von float32 modelliert.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no half-precision units: modelled at its float32 rate.</source>
        <translation>„%1“ hat keine Einheiten für halbe Genauigkeit: mit der Rate von float32 modelliert.</translation>
    </message>
    <message>
        <source>%1 replicas cannot fill hosts of %2 devices. Give another --devices-per-host, other replicas or, under multi-worker-mirrored, --hosts.</source>
        <translation>%1 Replikate füllen keine Hosts mit je %2 Geräten. Geben Sie ein anderes --devices-per-host an, andere Replikate oder, unter multi-worker-mirrored, --hosts.</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: the file will be %3. Give its name one of these endings: %4.</source>
        <translation>%1 „%2“: Geschrieben wird %3. Geben Sie der Datei eine dieser Endungen: %4.</translation>
    </message>
    <message>
        <source>JSON, one object per line</source>
        <translation>JSON, je Zeile ein Objekt</translation>
    </message>
    <message>
        <source>a Chrome trace, which is JSON</source>
        <translation>ein Chrome-Trace, also JSON</translation>
    </message>
    <message>
        <source>a run file</source>
        <translation>eine Laufdatei</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>%1 and %2 name the same file &apos;%3&apos;. Give each a file of its own.</source>
        <translation>%1 und %2 nennen dieselbe Datei „%3“. Geben Sie jeder eine eigene.</translation>
    </message>
    <message>
        <source>%1 since the update before, of its worker&apos;s %2</source>
        <translation>%1 seit dem vorigen Update, von den %2 seines Workers</translation>
    </message>
    <message>
        <source>%1 applies to simulated devices, but those of this run are real. Leave %1 out.</source>
        <translation>%1 gehört zu simulierten Geräten, aber die dieses Laufs sind echt. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2: the number of replicas is %3, and they are counted from 0. Name one of these.</source>
        <translation>%1 %2: Es sind %3 Replikate, gezählt ab 0. Nennen Sie eines davon.</translation>
    </message>
    <message>
        <source>%1 data changes nothing here: auto also shards examples in memory this way.</source>
        <translation>%1 data ändert hier nichts: Auch auto verteilt Beispiele im Speicher so.</translation>
    </message>
    <message>
        <source>%1 %2 are too many for one host, which has %3 devices at most. Give fewer, or spread them over hosts with --strategy multi-worker-mirrored and --hosts.</source>
        <translation>%1 %2 sind zu viele für einen Host, der höchstens %3 Geräte hat. Nehmen Sie weniger, oder verteilen Sie sie mit --strategy multi-worker-mirrored und --hosts auf Hosts.</translation>
    </message>
    <message>
        <source>%1 %2 on --hosts %3: a host has %4 devices at most. Give fewer replicas or more hosts.</source>
        <translation>%1 %2 auf --hosts %3: Ein Host hat höchstens %4 Geräte. Nehmen Sie weniger Replikate oder mehr Hosts.</translation>
    </message>
    <message>
        <source>%1 %2: %3 runs only on TPU cores. Give one of these, or leave %1 out: %4.</source>
        <translation>%1 %2: %3 läuft nur auf TPU-Kernen. Geben Sie einen von diesen an, oder lassen Sie %1 weg: %4.</translation>
    </message>
    <message>
        <source>%2 runs only on TPU cores, and &apos;%1&apos; is not one. The times are extrapolated and have no error band. Choose one of these: %3.</source>
        <translation>%2 läuft nur auf TPU-Kernen, und „%1“ ist kein TPU-Kern. Die Zeiten sind extrapoliert und haben kein Fehlerband. Wählen Sie einen von diesen: %3.</translation>
    </message>
    <message>
        <source>%1 devices are too many for one host, which has %2 at most. Spread them over more hosts.</source>
        <translation>%1 Geräte sind zu viele für einen Host, der höchstens %2 hat. Verteilen Sie sie auf mehr Hosts.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a TPU core, and %2 does not run on several of them. The times are extrapolated and have no error band. Choose another device, or TPUStrategy.</source>
        <translation>„%1“ ist ein TPU-Kern, und %2 läuft nicht auf mehreren davon. Die Zeiten sind extrapoliert und haben kein Fehlerband. Wählen Sie ein anderes Gerät oder TPUStrategy.</translation>
    </message>
    <message>
        <source>%1 revived: there was no backup yet, so all start again with step %2</source>
        <translation>%1 wiederbelebt: Es gab noch keine Sicherung, also beginnen alle wieder mit Schritt %2</translation>
    </message>
    <message>
        <source>a PNG picture of the window, or a poster as PDF or SVG</source>
        <translation>ein PNG-Bild des Fensters oder ein Poster als PDF oder SVG</translation>
    </message>
    <message>
        <source>the poster &apos;%1&apos; cannot be made: name a file that ends with .pdf or .svg</source>
        <translation>Das Poster „%1“ lässt sich nicht erstellen: Nennen Sie eine Datei, die auf .pdf oder .svg endet</translation>
    </message>
    <message>
        <source>there is no step on the stage yet: a poster shows the step on the stage. Press play first.</source>
        <translation>Auf der Bühne ist noch kein Schritt: Ein Poster zeigt den Schritt auf der Bühne. Drücken Sie erst auf Abspielen.</translation>
    </message>
    <message>
        <source>a list of some replicas&apos; numbers, each once and in order</source>
        <translation>eine Liste der Nummern einiger Replikate, jede einmal und der Reihe nach</translation>
    </message>
    <message>
        <source>The strategy to train under: one from tf.distribute, or an additional one</source>
        <translation>Die Strategie, unter der trainiert wird: eine aus tf.distribute oder eine zusätzliche</translation>
    </message>
    <message>
        <source>%1 %2 leaves none of %3 %4 to wait for. Lower it, or give more replicas.</source>
        <translation>%1 %2 lässt von %3 %4 keines übrig, auf das gewartet wird. Verringern Sie es, oder geben Sie mehr Replikate an.</translation>
    </message>
    <message>
        <source>%1: %2 asks the modelled clock who arrives first, so its devices are simulated. Use %1 simulated.</source>
        <translation>%1: %2 fragt die modellierte Uhr, wer zuerst ankommt, also sind die Geräte simuliert. Verwenden Sie %1 simulated.</translation>
    </message>
    <message>
        <source>%1 has a synchronised batch normalisation: all replicas wait for each other in the middle of a pass. Under %2 nobody waits for the last ones: choose a network with synchronized=False, or another strategy.</source>
        <translation>%1 hat eine synchronisierte Batch-Normalisierung: Alle Replikate warten mitten in einem Durchlauf aufeinander. Unter %2 wartet niemand auf die letzten: Nehmen Sie ein Netz mit synchronized=False oder eine andere Strategie.</translation>
    </message>
    <message>
        <source>cancelled: too late</source>
        <translation>abgebrochen: zu spät</translation>
    </message>
    <message>
        <source>line %1 of the network&apos;s description cannot be read: &apos;%2&apos;. Use one that this version of the program has written.</source>
        <translation>Zeile %1 der Beschreibung des Netzes ist nicht lesbar: „%2“. Verwenden Sie eine, die diese Version des Programms geschrieben hat.</translation>
    </message>
    <message>
        <source>a batch of %1 examples cannot be computed here. Use 1 to %2.</source>
        <translation>Ein Batch von %1 Beispielen kann hier nicht berechnet werden. Verwenden Sie 1 bis %2.</translation>
    </message>
    <message>
        <source>the batch has %1 examples, but there is room for only %2. Reserve more room first.</source>
        <translation>Der Batch hat %1 Beispiele, aber Platz ist nur für %2. Reservieren Sie zuerst mehr Platz.</translation>
    </message>
    <message>
        <source>example %1 has the label %2, and this network tells %3 classes apart. Use labels from 0 on.</source>
        <translation>Beispiel %1 hat das Label %2, und dieses Netz unterscheidet %3 Klassen. Verwenden Sie Labels ab 0.</translation>
    </message>
    <message>
        <source>these are not settings of an optimizer. Use SGD (0) or Adam (1), and finite numbers.</source>
        <translation>Das sind keine Einstellungen eines Optimierers. Verwenden Sie SGD (0) oder Adam (1) und endliche Zahlen.</translation>
    </message>
    <message>
        <source>the browser gives this page no more memory. Use a smaller batch or network, or close other pages.</source>
        <translation>Der Browser gibt dieser Seite keinen weiteren Speicher. Verwenden Sie einen kleineren Batch oder ein kleineres Netz, oder schließen Sie andere Seiten.</translation>
    </message>
    <message>
        <source>there is no update number %1. Count updates from 1, and use a finite learning rate.</source>
        <translation>Ein Update Nummer %1 gibt es nicht. Zählen Sie Updates ab 1, und verwenden Sie eine endliche Lernrate.</translation>
    </message>
    <message>
        <source>%1: a class computes in float32. Leave it out.</source>
        <translation>%1: Eine Klasse rechnet in float32. Lassen Sie die Option weg.</translation>
    </message>
    <message>
        <source>%1: a worker of a class takes at most %2 examples at once, not %3. Give less.</source>
        <translation>%1: Ein Worker einer Klasse nimmt höchstens %2 Beispiele auf einmal, nicht %3. Geben Sie weniger an.</translation>
    </message>
    <message>
        <source>%1: a synchronised batch normalisation stops in the middle of a step, which the workers of a class cannot. Choose a network without one.</source>
        <translation>%1: Eine synchronisierte Batch-Normalisierung hält mitten im Schritt an, was die Worker einer Klasse nicht können. Wählen Sie ein Netz ohne sie.</translation>
    </message>
    <message>
        <source>%1: this network has too many layers to be sent to a class. Choose a smaller one.</source>
        <translation>%1: Dieses Netz hat zu viele Schichten, um an eine Klasse geschickt zu werden. Wählen Sie ein kleineres.</translation>
    </message>
    <message>
        <source>this order of a class&apos;s pushes cannot have happened. Use the file as StrategyLab wrote it.</source>
        <translation>Diese Reihenfolge der Pushes einer Klasse kann es nicht gegeben haben. Verwenden Sie die Datei so, wie StrategyLab sie geschrieben hat.</translation>
    </message>
    <message>
        <source>the server&apos;s reply is not that of a class. Check that the link comes from this version of StrategyLab.</source>
        <translation>Die Antwort des Servers ist nicht die einer Klasse. Prüfen Sie, ob der Link von dieser Version von StrategyLab stammt.</translation>
    </message>
    <message>
        <source>%1: a picture of %2 bytes is larger than the %3 that a class can be sent. Choose other data.</source>
        <translation>%1: Ein Bild von %2 Bytes ist größer als die %3, die einer Klasse geschickt werden können. Wählen Sie andere Daten.</translation>
    </message>
    <message>
        <source>the key in the link does not belong to this class. Ask for the link again.</source>
        <translation>Der Schlüssel im Link gehört nicht zu dieser Klasse. Lassen Sie sich den Link noch einmal geben.</translation>
    </message>
    <message>
        <source>this class uses another version of StrategyLab. Use the same version as the teacher.</source>
        <translation>Diese Klasse läuft mit einer anderen Version von StrategyLab. Verwenden Sie dieselbe Version wie die Lehrkraft.</translation>
    </message>
    <message>
        <source>the class is full. Ask the teacher to let more in, or wait until somebody leaves.</source>
        <translation>Die Klasse ist voll. Bitten Sie die Lehrkraft, mehr zuzulassen, oder warten Sie, bis jemand geht.</translation>
    </message>
    <message>
        <source>this worker sent a message that no worker sends. Join again with the same version.</source>
        <translation>Dieser Worker hat eine Nachricht geschickt, die kein Worker schickt. Treten Sie mit derselben Version noch einmal bei.</translation>
    </message>
    <message>
        <source>this worker sent numbers that are not finite. Ask the teacher for a lower learning rate.</source>
        <translation>Dieser Worker hat Zahlen geschickt, die nicht endlich sind. Bitten Sie die Lehrkraft um eine niedrigere Lernrate.</translation>
    </message>
    <message>
        <source>this worker sent a gradient that is too large. Ask the teacher for a lower learning rate.</source>
        <translation>Dieser Worker hat einen zu großen Gradienten geschickt. Bitten Sie die Lehrkraft um eine niedrigere Lernrate.</translation>
    </message>
    <message>
        <source>this worker sent more data than a worker should. Join again.</source>
        <translation>Dieser Worker hat mehr Daten geschickt, als ein Worker schicken sollte. Treten Sie noch einmal bei.</translation>
    </message>
    <message>
        <source>the teacher has sent this worker away.</source>
        <translation>Die Lehrkraft hat diesen Worker weggeschickt.</translation>
    </message>
    <message>
        <source>nothing was heard from this worker for too long. Check the network, and join again.</source>
        <translation>Von diesem Worker war zu lange nichts zu hören. Prüfen Sie das Netzwerk, und treten Sie noch einmal bei.</translation>
    </message>
    <message>
        <source>another worker is computing this closure now.</source>
        <translation>Ein anderer Worker berechnet jetzt diese Closure.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not an address of this machine with a port. Give one that the class reaches, such as 192.168.1.20:8080, or 127.0.0.1:0 for this machine only.</source>
        <translation>%1: „%2“ ist keine Adresse dieses Rechners mit einem Port. Geben Sie eine an, die die Klasse erreicht, etwa 192.168.1.20:8080, oder 127.0.0.1:0 nur für diesen Rechner.</translation>
    </message>
    <message>
        <source>this is not a link to a class. Give the whole link, as the teacher&apos;s program shows it: http://ADDRESS:PORT/#KEY.</source>
        <translation>Das ist kein Link zu einer Klasse. Geben Sie ihn ganz an, so wie das Programm der Lehrkraft ihn zeigt: http://ADRESSE:PORT/#SCHLÜSSEL.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; was not found. It is the program that a class needs. Build it with `STRATEGYLAB_CLASS=1 app/run.sh --version`, or name it in STRATEGYLAB_CLASS_PROGRAM.</source>
        <translation>„%1“ fehlt. Eine Klasse braucht dieses Programm. Bauen Sie es mit `STRATEGYLAB_CLASS=1 app/run.sh --version`, oder nennen Sie es in STRATEGYLAB_CLASS_PROGRAM.</translation>
    </message>
    <message>
        <source>the class&apos;s program ended with code %1 and did not say why. Start it again.</source>
        <translation>das Programm der Klasse endete mit Code %1 und sagte nicht, warum. Starten Sie es noch einmal.</translation>
    </message>
    <message>
        <source>the class&apos;s program is of another version than this one. Build both again.</source>
        <translation>das Programm der Klasse hat eine andere Version als dieses. Bauen Sie beide neu.</translation>
    </message>
    <message>
        <source>workers of the class that is served</source>
        <translation>Worker der Klasse, die trainiert</translation>
    </message>
    <message>
        <source>of these, those that a teacher has slowed down</source>
        <translation>davon die, die eine Lehrkraft verlangsamt hat</translation>
    </message>
    <message>
        <source>workers that have left that class</source>
        <translation>Worker, die diese Klasse verlassen haben</translation>
    </message>
    <message>
        <source>%1 does not have all of the %2 updates before the checkpoint. Use the folder as the class left it, or start over.</source>
        <translation>%1 enthält nicht alle %2 Updates vor dem Checkpoint. Nehmen Sie den Ordner so, wie die Klasse ihn hinterlassen hat, oder beginnen Sie von vorn.</translation>
    </message>
    <message>
        <source>this checkpoint does not belong to a class with these settings and examples. Name the folder that the class made.</source>
        <translation>Dieser Checkpoint gehört nicht zu einer Klasse mit diesen Einstellungen und Beispielen. Nennen Sie den Ordner, den die Klasse angelegt hat.</translation>
    </message>
    <message>
        <source>this worker sent a gradient that is not the result of its closure: a spot check found this. Join again with the same version of StrategyLab as the teacher&apos;s.</source>
        <translation>Dieser Worker hat einen Gradienten gesendet, der nicht das Ergebnis seiner Closure ist: Eine Stichprobe hat das gezeigt. Treten Sie mit derselben Version von StrategyLab wie die Lehrkraft noch einmal bei.</translation>
    </message>
    <message>
        <source>the class&apos;s program was killed (signal %1): training has ended, and its workers have lost their connection.</source>
        <translation>das Programm der Klasse wurde beendet (Signal %1): Das Training ist zu Ende, und seine Worker haben keine Verbindung mehr.</translation>
    </message>
    <message>
        <source>Wire</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>Weights and gradients on their way between workers and parameter servers; bfloat16 halves the bytes, and what servers hold stays float32</source>
        <translation>Gewichte und Gradienten auf dem Weg zwischen Workern und Parameterservern; bfloat16 halbiert die Bytes, und was die Server halten, bleibt float32</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a recording of a class. Name a run file that `serve --run` or the window has written.</source>
        <translation>„%1“ ist keine Aufzeichnung einer Klasse. Nennen Sie eine Laufdatei, die `serve --run` oder das Fenster geschrieben hat.</translation>
    </message>
    <message>
        <source>this worker&apos;s program was killed (signal %1). The class goes on without it: join again with the same link.</source>
        <translation>Das Programm dieses Workers wurde abgebrochen (Signal %1). Die Klasse macht ohne ihn weiter: Treten Sie mit demselben Link wieder bei.</translation>
    </message>
    <message>
        <source>Slow link</source>
        <translation>Langsamer Link</translation>
    </message>
    <message>
        <source>REPLICA:FACTOR: what this worker sends and is sent takes FACTOR times as long on its modelled link; repeatable</source>
        <translation>REPLIKAT:FAKTOR: Was dieser Worker sendet und geschickt bekommt, braucht auf seinem modellierten Link FAKTOR-mal so lange; wiederholbar</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>divergiert</translation>
    </message>
    <message>
        <source>a line of a class&apos;s order</source>
        <translation>eine Zeile der Reihenfolge einer Klasse</translation>
    </message>
    <message>
        <source>the class trained on %1, but here is %2. Put the same data back where it was.</source>
        <translation>die Klasse hat auf %1 trainiert, aber hier ist %2. Legen Sie dieselben Daten dorthin, wo sie waren.</translation>
    </message>
    <message>
        <source>the run is a branch of a class from step %1, and only the class&apos;s recording leads there. Open the recording, and branch from that step again.</source>
        <translation>der Lauf ist ein Zweig einer Klasse ab Schritt %1, und dorthin führt nur die Aufzeichnung der Klasse. Öffnen Sie die Aufzeichnung, und zweigen Sie bei diesem Schritt noch einmal ab.</translation>
    </message>
    <message>
        <source>this recording does not have the order of the class&apos;s pushes, so its steps cannot be shown. Its curves are among the runs.</source>
        <translation>diese Aufzeichnung enthält nicht, in welcher Reihenfolge die Klasse geschickt hat; ihre Schritte lassen sich deshalb nicht zeigen. Ihre Kurven stehen bei den Läufen.</translation>
    </message>
    <message>
        <source>A step of %1 is the mean of %2 steps, of which the last is drawn: it averages the weights.</source>
        <translation>Ein Schritt von %1 ist der Mittelwert von %2 Schritten; gezeichnet ist der letzte, der die Gewichte mittelt.</translation>
    </message>
    <message>
        <source>memory cannot be shared with a program that was started: %1. Close other programs, and start again.</source>
        <translation>mit einem gestarteten Programm lässt sich kein Speicher teilen: %1. Schließen Sie andere Programme, und starten Sie neu.</translation>
    </message>
    <message>
        <source>parameter server %1 was killed (signal %2), and its variables with it: training has ended.</source>
        <translation>Parameterserver %1 wurde beendet (Signal %2), und mit ihm seine Variablen: Das Training ist zu Ende.</translation>
    </message>
    <message>
        <source>parameter server %1 has not answered for %2 s: training has ended.</source>
        <translation>Parameterserver %1 antwortet seit %2 s nicht mehr: Das Training ist zu Ende.</translation>
    </message>
    <message>
        <source>parameter server %1 ended with code %2, without its class: training has ended.</source>
        <translation>Parameterserver %1 endete mit Code %2, ohne seine Klasse: Das Training ist zu Ende.</translation>
    </message>
    <message>
        <source>%1 has a synchronised batch normalisation, whose sums go over all replicas. Under %2 a replica hears only from its neighbours: choose a network with synchronized=False, or another strategy.</source>
        <translation>%1 hat eine synchronisierte Batch-Normalisierung, deren Summen über alle Replikate gehen. Unter %2 hört ein Replikat nur von seinen Nachbarn: Nehmen Sie ein Netz mit synchronized=False oder eine andere Strategie.</translation>
    </message>
    <message>
        <source>exchange weights with neighbours</source>
        <translation>Gewichte mit Nachbarn austauschen</translation>
    </message>
    <message>
        <source>reduce-scatter</source>
        <translation>Reduce-Scatter</translation>
    </message>
    <message>
        <source>gather weights</source>
        <translation>Gewichte einsammeln</translation>
    </message>
    <message>
        <source>%1 at this stage keeps each weight on only one replica and gathers it again for each pass: change a gradient, or choose a lower stage.</source>
        <translation>%1 hält auf dieser Stufe jedes Gewicht nur auf einem Replikat und sammelt es für jeden Durchlauf neu ein: Ändern Sie einen Gradienten, oder nehmen Sie eine niedrigere Stufe.</translation>
    </message>
    <message>
        <source>%1 %2: MPI_Allreduce brings the whole sum to all, but under %3 each replica needs only its own part. Use %1 ring.</source>
        <translation>%1 %2: MPI_Allreduce bringt allen die ganze Summe, aber unter %3 braucht jedes Replikat nur seinen Teil. Nehmen Sie %1 ring.</translation>
    </message>
    <message>
        <source>the all-gather of step %1</source>
        <translation>dem All-Gather von Schritt %1</translation>
    </message>
    <message>
        <source>%1 %2 needs at least %2 cells, but there are %3. Give more values or seeds, or leave %1 out.</source>
        <translation>%1 %2 braucht mindestens %2 Zellen, aber es sind %3. Geben Sie mehr Werte oder Seeds an, oder lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2 of %3 cells has %4 rungs, but a cell of %5 steps is too short for them. Give at least %6 steps, or leave %1 out.</source>
        <translation>%1 %2 hat bei %3 Zellen %4 Stufen, aber eine Zelle von %5 Schritten ist dafür zu kurz. Geben Sie mindestens %6 Schritte an, oder lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) receives the outputs of %3 layers. Give it one.</source>
        <translation>die Schicht „%1“ (%2) bekommt die Ausgaben von %3 Schichten. Geben Sie ihr eine.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) receives the outputs of %3 layers. Give it two or more.</source>
        <translation>die Schicht „%1“ (%2) bekommt die Ausgaben von %3 Schichten. Geben Sie ihr zwei oder mehr.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; reads from a layer that comes after it. Put it after all layers that it reads.</source>
        <translation>die Schicht „%1“ liest von einer Schicht, die nach ihr kommt. Stellen Sie sie hinter alle Schichten, die sie liest.</translation>
    </message>
    <message>
        <source>nothing reads the output of the layer &apos;%1&apos;, and it is not the last layer. Connect it to the network&apos;s output, or leave it out.</source>
        <translation>die Ausgabe der Schicht „%1“ liest niemand, und sie ist nicht die letzte Schicht. Verbinden Sie sie mit der Ausgabe des Netzes, oder lassen Sie sie weg.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) receives the shapes %3 and %4, which do not fit together. Give it outputs of one size.</source>
        <translation>die Schicht „%1“ (%2) bekommt die Formen %3 und %4, die nicht zusammenpassen. Geben Sie ihr Ausgaben einer Größe.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no &apos;%2&apos;, which a Keras model has. Name a file that model.save() or model.to_json() has written.</source>
        <translation>In „%1“ fehlt „%2“, das jedes Modell von Keras hat. Nennen Sie eine Datei, die model.save() oder model.to_json() geschrieben hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds a model of the kind %2, but only Sequential and Functional models are computed here. Name another file.</source>
        <translation>„%1“ enthält ein Modell der Art %2; berechnet werden hier nur Sequential und Functional. Nennen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>layers of this kind are not computed here. There are Conv2D, DepthwiseConv2D, Dense, MaxPooling2D, AveragePooling2D, GlobalMaxPooling2D, GlobalAveragePooling2D, ZeroPadding2D, Flatten, Add, Concatenate, Dropout, BatchNormalization, LayerNormalization, ReLU, LeakyReLU, Activation and Softmax, and Rescaling in front.</source>
        <translation>Schichten dieser Art werden hier nicht berechnet. Es gibt Conv2D, DepthwiseConv2D, Dense, MaxPooling2D, AveragePooling2D, GlobalMaxPooling2D, GlobalAveragePooling2D, ZeroPadding2D, Flatten, Add, Concatenate, Dropout, BatchNormalization, LayerNormalization, ReLU, LeakyReLU, Activation und Softmax, und am Anfang Rescaling.</translation>
    </message>
    <message>
        <source>it is called more than once, or not with the outputs of other layers; that is not computed here.</source>
        <translation>sie wird mehrmals aufgerufen oder nicht mit den Ausgaben anderer Schichten; das wird hier nicht berechnet.</translation>
    </message>
    <message>
        <source>it reads %1, which is not a layer before it.</source>
        <translation>sie liest %1, was keine Schicht vor ihr ist.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; %2. Open a Chrome trace: one that &apos;Export trace&apos; or --trace has written, the trace.json.gz of TensorFlow&apos;s profiler, or the JSON of PyTorch&apos;s.</source>
        <translation>„%1“ %2. Öffnen Sie einen Chrome-Trace: einen, den „Trace exportieren“ oder --trace geschrieben hat, die trace.json.gz von TensorFlows Profiler oder das JSON von PyTorchs.</translation>
    </message>
    <message>
        <source>is not valid JSON (byte %1)</source>
        <translation>ist kein gültiges JSON (Byte %1)</translation>
    </message>
    <message>
        <source>is nested deeper than any trace</source>
        <translation>ist tiefer verschachtelt als jeder Trace</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds a model with several outputs, or whose last layer is not its output. Leave one output, of the last layer, and write the model again.</source>
        <translation>„%1“ enthält ein Modell mit mehreren Ausgaben, oder seine letzte Schicht ist nicht seine Ausgabe. Lassen Sie eine Ausgabe, die der letzten Schicht, und schreiben Sie das Modell neu.</translation>
    </message>
    <message>
        <source>the last layer, &apos;%1&apos;, gives the shape %2 for an example. It must give one value for each class, at least 2.</source>
        <translation>die letzte Schicht, „%1“, liefert für ein Beispiel die Form %2. Sie muss je Klasse einen Wert liefern, mindestens 2.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; has %2 groups, which do not divide its %3 input channels and %4 filters. Choose another number.</source>
        <translation>die Schicht „%1“ hat %2 Gruppen, die ihre %3 Eingangskanäle und %4 Filter nicht teilen. Wählen Sie eine andere Zahl.</translation>
    </message>
    <message>
        <source>the network &apos;%1&apos; cannot be trained here: %2. Choose another network.</source>
        <translation>das Netz „%1“ kann hier nicht trainiert werden: %2. Wählen Sie ein anderes Netz.</translation>
    </message>
    <message>
        <source>it gives %1 values for an example, and at most %2 classes can be trained</source>
        <translation>es liefert %1 Werte für ein Beispiel, und höchstens %2 Klassen können trainiert werden</translation>
    </message>
    <message>
        <source>its layer &apos;%1&apos; has %2 groups, and only convolutions of one group can be trained</source>
        <translation>seine Schicht „%1“ hat %2 Gruppen, und nur Faltungen mit einer Gruppe können trainiert werden</translation>
    </message>
    <message>
        <source>%1 %2 cannot be trained here: %3. Choose another network. How long its steps take is answered by What if in the window, and by sweep --timing-only.</source>
        <translation>%1 %2 kann hier nicht trainiert werden: %3. Wählen Sie ein anderes Netz. Wie lange seine Schritte dauern, sagen „Was wäre, wenn“ im Fenster und sweep --timing-only.</translation>
    </message>
    <message>
        <source>a dead worker&apos;s closure was taken by another worker, in the step on the stage or an earlier one</source>
        <translation>die Closure eines toten Workers hat ein anderer Worker genommen, im Schritt auf der Bühne oder in einem früheren</translation>
    </message>
    <message>
        <source>%1: the file has other layers than those of the network &apos;%2&apos;. Use the file as StrategyLab wrote it.</source>
        <translation>%1: Die Datei hat andere Schichten als das Netz „%2“. Verwenden Sie die Datei so, wie StrategyLab sie geschrieben hat.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a pipe or a device, which is not read here. Name a file.</source>
        <translation>„%1“ ist eine Pipe oder ein Gerät, was hier nicht gelesen wird. Nennen Sie eine Datei.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 files. As pictures of the size that this network receives, they need %3, but this computer can give %4. Remove some, or use a network that receives smaller pictures.</source>
        <translation>„%1“ hat %2 Dateien. Als Bilder der Größe, die dieses Netz bekommt, brauchen sie %3, dieser Rechner hat dafür aber nur %4. Entfernen Sie einige, oder nehmen Sie ein Netz, das kleinere Bilder bekommt.</translation>
    </message>
    <message>
        <source>the condition has more than %1 parts. Leave some out.</source>
        <translation>die Bedingung hat mehr als %1 Teile. Lassen Sie welche weg.</translation>
    </message>
    <message>
        <source>the lesson has more than %1 languages. Leave some out.</source>
        <translation>die Lektion hat mehr als %1 Sprachen. Lassen Sie welche weg.</translation>
    </message>
    <message>
        <source>up to the layer &apos;%1&apos; (%2) the layers receive more than %3 outputs in all. Connect fewer layers to each other.</source>
        <translation>bis zur Schicht „%1“ (%2) bekommen die Schichten zusammen mehr als %3 Ausgaben. Verbinden Sie weniger Schichten miteinander.</translation>
    </message>
    <message>
        <source>its %1 is larger than %2, more than the weights of the chosen network can take.</source>
        <translation>ihr %1 ist größer als %2, mehr als die Gewichte des gewählten Netzes brauchen können.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has %2 rows, but at most %3 are read. Leave some out.</source>
        <translation>„%1“ hat %2 Zeilen, aber höchstens %3 werden gelesen. Lassen Sie welche weg.</translation>
    </message>
    <message>
        <source>%1 belongs to another class, which is training now. Name another folder for the checkpoints, or end that class first.</source>
        <translation>%1 gehört zu einer anderen Klasse, die gerade trainiert. Nennen Sie einen anderen Ordner für die Checkpoints, oder beenden Sie zuerst jene Klasse.</translation>
    </message>
    <message>
        <source>--check compares losses on the same examples, but TensorFlow chooses and scales a folder&apos;s pictures in its own way. Leave --check out, or choose mnist, fashion-mnist or cifar10 with %1.</source>
        <translation>--check vergleicht Verluste auf denselben Beispielen, aber TensorFlow wählt und skaliert die Bilder eines Ordners auf eigene Weise. Lassen Sie --check weg, oder wählen Sie mit %1 mnist, fashion-mnist oder cifar10.</translation>
    </message>
    <message>
        <source>the driver cannot make code for %1, compute capability %2, from that of this build (%3). Update the driver, or build again with that capability in STRATEGYLAB_CUDA_ARCHITECTURES.</source>
        <translation>der Treiber kann aus dem Code dieses Baus keinen für %1, Compute Capability %2, machen (%3). Aktualisieren Sie den Treiber, oder bauen Sie noch einmal, mit dieser in STRATEGYLAB_CUDA_ARCHITECTURES.</translation>
    </message>
    <message>
        <source>%1 cannot be used now (%2): NVIDIA&apos;s Multi-Process Service does not accept this program. Start the service again with `nvidia-cuda-mps-control -d`, or end other programs that use it.</source>
        <translation>%1 ist jetzt nicht zu benutzen (%2): NVIDIAs Multi-Process Service nimmt dieses Programm nicht an. Starten Sie den Dienst mit `nvidia-cuda-mps-control -d` neu, oder beenden Sie andere Programme, die ihn benutzen.</translation>
    </message>
    <message>
        <source>Folder for checkpoints; those of an earlier run are replaced, unless --resume continues it</source>
        <translation>Ordner für Checkpoints; die eines früheren Laufs werden ersetzt, außer wenn --resume ihn fortsetzt</translation>
    </message>
    <message>
        <source>%1 has no effect here: under %2 no gradients are packed.</source>
        <translation>%1 bewirkt hier nichts: Unter %2 werden keine Gradienten gepackt.</translation>
    </message>
    <message>
        <source>%1: a class trains one of %2, and not %3. Choose one of them.</source>
        <translation>%1: Eine Klasse trainiert unter einer der Strategien %2, nicht unter %3. Wählen Sie eine davon.</translation>
    </message>
    <message>
        <source>the step was over without this worker: the class does not wait for the slowest.</source>
        <translation>Der Schritt war ohne diesen Worker zu Ende: Die Klasse wartet nicht auf die langsamsten.</translation>
    </message>
    <message>
        <source>this worker took too long for its part of a step, twice in a row, while the others waited. Join again on a faster machine, or ask the teacher for smaller batches.</source>
        <translation>Dieser Worker hat für seinen Teil eines Schritts zweimal nacheinander zu lange gebraucht, während die anderen warteten. Treten Sie auf einem schnelleren Rechner neu bei, oder bitten Sie die Lehrkraft um kleinere Batches.</translation>
    </message>
    <message>
        <source>another StrategyLab is fetching &apos;%1&apos;. Wait until it has ended, then fetch again, or name another folder.</source>
        <translation>Ein anderes StrategyLab lädt gerade „%1“. Warten Sie, bis es fertig ist, und laden Sie dann noch einmal, oder nennen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>the class&apos;s program has said nothing for %1 s since Stop, and was ended: what is written at the end is missing. Check that the disk with the checkpoints can be written, then start again.</source>
        <translation>das Programm der Klasse hat nach dem Stopp %1 s lang nichts gesagt und wurde beendet: Was am Ende geschrieben wird, fehlt. Prüfen Sie, ob sich auf den Datenträger mit den Checkpoints schreiben lässt, und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>the end of reading or writing the run&apos;s files</source>
        <translation>dem Ende des Lesens oder Schreibens der Dateien des Laufs</translation>
    </message>
    <message>
        <source>a web page came in place of the file: open a browser and sign in to this network</source>
        <translation>anstelle der Datei kam eine Webseite: Öffnen Sie einen Browser und melden Sie sich in diesem Netz an</translation>
    </message>
    <message>
        <source>the memory of %1 is too small for the images: they need %2, but only %3 are free. Lower --train-examples and --test-examples, or end other programs on that GPU.</source>
        <translation>der Speicher von %1 ist zu klein für die Bilder: Sie brauchen %2, nur %3 sind frei. Senken Sie --train-examples und --test-examples, oder beenden Sie andere Programme auf dieser GPU.</translation>
    </message>
    <message>
        <source>each host reads its own files, or all of the examples, from the first step on</source>
        <translation>jeder Host liest vom ersten Schritt an seine eigenen Dateien oder alle Beispiele</translation>
    </message>
    <message>
        <source>&apos;losses&apos; can only be &apos;wrong&apos;, not &apos;%1&apos;.</source>
        <translation>„losses“ kann nur „wrong“ sein, nicht „%1“.</translation>
    </message>
    <message>
        <source>a run is too long to be stored in full with the session: &apos;%1&apos; would exceed the size limit (%2). Save the run as a recording.</source>
        <translation>Ein Lauf ist zu lang, um ganz mit der Sitzung gespeichert zu werden: „%1“ würde größer als erlaubt (%2). Speichern Sie den Lauf als Aufzeichnung.</translation>
    </message>
    <message>
        <source>the sweep has &apos;%1&apos; as a further axis, and the window shows two. Make it the plan&apos;s &apos;rows&apos; or &apos;columns&apos;, or give one value for it in the plan&apos;s &apos;config&apos;.</source>
        <translation>der Sweep hat „%1“ als weitere Achse, und das Fenster zeigt zwei. Machen Sie daraus „rows“ oder „columns“ des Plans, oder geben Sie in „config“ des Plans nur einen Wert dafür an.</translation>
    </message>
    <message>
        <source>no cell of the sweep has finished, so TensorBoard would show nothing. Start the sweep.</source>
        <translation>keine Zelle des Sweeps ist fertig, TensorBoard würde also nichts zeigen. Starten Sie den Sweep.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has runs that are not of this sweep, and TensorBoard would show all of them as one. Choose another folder.</source>
        <translation>„%1“ enthält Läufe, die nicht zu diesem Sweep gehören, und TensorBoard würde alle als einen zeigen. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>the experiment&apos;s network was changed in the window, and a link has no room for its layers. Save the experiment as a file.</source>
        <translation>Das Netz des Experiments wurde im Fenster geändert, und für seine Schichten ist in einem Link kein Platz. Speichern Sie das Experiment als Datei.</translation>
    </message>
    <message>
        <source>its class is from the module %1, not from Keras, and is not computed here.</source>
        <translation>ihre Klasse kommt aus dem Modul %1, nicht von Keras, und wird hier nicht berechnet.</translation>
    </message>
    <message>
        <source>what happens when a task of %1 dies is not modelled. Use %2 multi-worker-mirrored or %2 parameter-server.</source>
        <translation>was geschieht, wenn eine Task von %1 stirbt, ist nicht modelliert. Nehmen Sie %2 multi-worker-mirrored oder %2 parameter-server.</translation>
    </message>
    <message>
        <source>the value is &apos;%1&apos;, but the model divides by it. Write a number from %2 to 1e9.</source>
        <translation>der Wert ist „%1“, aber das Modell teilt durch ihn. Schreiben Sie eine Zahl von %2 bis 1e9.</translation>
    </message>
    <message>
        <source>the catalogue does not know &apos;%1&apos;: &apos;%2&apos; stands in for it, scaled to the measured times where there are any.</source>
        <translation>der Katalog kennt „%1“ nicht: „%2“ steht dafür, skaliert auf die gemessenen Zeiten, wo es welche gibt.</translation>
    </message>
    <message>
        <source>a step would take more than a month, longer than the model counts. Choose faster devices or links, smaller factors, a smaller batch or a smaller network.</source>
        <translation>ein Schritt würde mehr als einen Monat dauern, länger, als das Modell zählt. Wählen Sie schnellere Geräte oder Links, kleinere Faktoren, einen kleineren Batch oder ein kleineres Netz.</translation>
    </message>
    <message>
        <source>the run would take more than a century by its modelled clock. Choose faster devices or links, or train fewer steps.</source>
        <translation>der Lauf würde nach seiner modellierten Uhr mehr als ein Jahrhundert dauern. Wählen Sie schnellere Geräte oder Links, oder trainieren Sie weniger Schritte.</translation>
    </message>
    <message>
        <source>the reducer &apos;%1&apos; needs the same number of ranks on every host, and %2 ranks cannot be shared equally by %3 hosts: choose a number of hosts that divides the ranks</source>
        <translation>das Verfahren „%1“ braucht auf jedem Host gleich viele Ränge, und %2 Ränge lassen sich nicht gleichmäßig auf %3 Hosts verteilen: Wählen Sie eine Zahl von Hosts, die die Ränge teilt</translation>
    </message>
    <message>
        <source>%1 needs gradients of the same weights and of one step, but every replica of %2 has weights, or parts of earlier gradients, of its own.</source>
        <translation>%1 braucht Gradienten derselben Gewichte und eines einzigen Schritts, aber jedes Replikat von %2 hat eigene Gewichte oder eigene Reste früherer Gradienten.</translation>
    </message>
    <message>
        <source>%1 %2: worker processes of %3 keep parts of the variables on processors, not on GPUs yet. Leave %1 out.</source>
        <translation>%1 %2: Worker-Prozesse von %3 halten Teile der Variablen auf Prozessoren, noch nicht auf GPUs. Lassen Sie %1 weg.</translation>
    </message>
    <message>
        <source>%1 %2: so far %3 averages neighbours&apos; weights in one process. Use %1 simulated, %1 cpu or %1 cuda.</source>
        <translation>%1 %2: Bisher mittelt %3 die Gewichte von Nachbarn in einem Prozess. Nehmen Sie %1 simulated, %1 cpu oder %1 cuda.</translation>
    </message>
    <message>
        <source>the reducer &apos;%1&apos; needs the same number of ranks on every host, but one host has %2 and another %3. Give every host equally many, or choose another reducer or strategy.</source>
        <translation>das Verfahren „%1“ braucht auf jedem Host gleich viele Ränge, aber ein Host hat %2 und ein anderer %3. Geben Sie jedem Host gleich viele, oder wählen Sie ein anderes Verfahren oder eine andere Strategie.</translation>
    </message>
    <message>
        <source>%1 %2 is too large for %3 asynchronous workers. Give a smaller number.</source>
        <translation>%1 %2 ist zu groß für %3 asynchrone Worker. Geben Sie eine kleinere Zahl an.</translation>
    </message>
    <message>
        <source>%1 %2 cannot be shared equally by %3 workers of %4. Give a multiple of %3, or leave %4 out with --strategies.</source>
        <translation>%1 %2 lässt sich nicht gleichmäßig auf %3 Worker von %4 verteilen. Geben Sie ein Vielfaches von %3 an, oder lassen Sie %4 mit --strategies weg.</translation>
    </message>
    <message>
        <source>%1 %2: workers of %4 share the global batch equally, and without --global-batch it is %3, which is not a multiple of %2. Give a multiple as --global-batch, or leave %4 out with --strategies.</source>
        <translation>%1 %2: Worker von %4 teilen den globalen Batch gleichmäßig, und ohne --global-batch ist er %3, kein Vielfaches von %2. Geben Sie ein Vielfaches als --global-batch an, oder lassen Sie %4 mit --strategies weg.</translation>
    </message>
    <message>
        <source>%1 has no meaning for an asynchronous strategy, where a batch belongs to one worker&apos;s step. Use --batch-per-replica.</source>
        <translation>%1 hat bei einer asynchronen Strategie keinen Sinn: Dort gehört ein Batch zum Schritt eines Workers. Verwenden Sie --batch-per-replica.</translation>
    </message>
    <message>
        <source>%1 staleness belongs to an asynchronous strategy: only there can a gradient be stale. Use %1 none.</source>
        <translation>%1 staleness gehört zu einer asynchronen Strategie: Nur dort kann ein Gradient veraltet sein. Verwenden Sie %1 none.</translation>
    </message>
    <message>
        <source>%1 has no effect here: every asynchronous worker reads all examples.</source>
        <translation>%1 bewirkt hier nichts: Jeder asynchrone Worker liest alle Beispiele.</translation>
    </message>
    <message>
        <source>%1 has a synchronised batch normalisation. Under %2 each worker makes its steps alone, so it normalises by its own batch: choose a network with synchronized=False, or a synchronous strategy.</source>
        <translation>%1 hat eine synchronisierte Batch-Normalisierung. Bei %2 macht jeder Worker seine Schritte allein, also normalisiert er nach seinem eigenen Batch: Nehmen Sie ein Netz mit synchronized=False oder eine synchrone Strategie.</translation>
    </message>
    <message>
        <source>what the replicas keep differs before this step, because each was trained on its own, kept a part of its own gradients or had a value changed by hand, and a change of %1, %2 or %3 needs one state for all. Branch from a step before which all keep the same.</source>
        <translation>was die Replikate behalten, unterscheidet sich vor diesem Schritt, weil jedes für sich trainiert wurde, einen Teil seiner eigenen Gradienten behielt oder ein Wert von Hand geändert wurde, und eine Änderung von %1, %2 oder %3 braucht einen Zustand für alle. Zweigen Sie bei einem Schritt ab, vor dem alle dasselbe behalten.</translation>
    </message>
    <message>
        <source>--check compares losses on the same examples, but the built-in digits are not in a file that TensorFlow could read. Name a folder with the four IDX files with %1.</source>
        <translation>--check vergleicht Verluste auf denselben Beispielen, aber die eingebauten Ziffern liegen in keiner Datei, die TensorFlow lesen könnte. Nennen Sie mit %1 einen Ordner mit den vier IDX-Dateien.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no pictures. Put the PNG or JPEG files of each class into a folder of its own within it, two to %2 folders.</source>
        <translation>„%1“ enthält keine Bilder. Legen Sie die PNG- oder JPEG-Dateien jeder Klasse in einen eigenen Ordner darin, zwei bis %2 Ordner.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a string. Correct the value, or save the experiment again.</source>
        <translation>„%1“ muss ein Text sein. Berichtigen Sie den Wert oder speichern Sie das Experiment neu.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; must be a string</source>
        <translation>„%1“ muss ein Text sein</translation>
    </message>
    <message>
        <source>a label must be a string</source>
        <translation>eine Bezeichnung muss ein Text sein</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>The examples; auto: MNIST if it is found, else the built-in digits</source>
        <translation>Die Beispiele; auto: MNIST, wenn es gefunden wird, sonst die eingebauten Ziffern</translation>
    </message>
    <message>
        <source>Steps to train, instead of --epochs; for parameter-server: updates of all workers</source>
        <translation>Zu trainierende Schritte, anstelle von --epochs; bei parameter-server: Updates aller Worker</translation>
    </message>
    <message>
        <source>fit: mean of the replicas&apos; means, as in Keras; loop: sum divided by the global batch</source>
        <translation>fit: Mittel der Mittel der Replikate, wie in Keras; loop: Summe, geteilt durch den globalen Batch</translation>
    </message>
    <message>
        <source>Start from these weights (.keras or .safetensors)</source>
        <translation>Mit diesen Gewichten beginnen (.keras oder .safetensors)</translation>
    </message>
    <message>
        <source>Write the trained weights to this file (.keras or .safetensors)</source>
        <translation>Die trainierten Gewichte in diese Datei schreiben (.keras oder .safetensors)</translation>
    </message>
    <message>
        <source>%1 names replica %2 twice. Give each replica one factor.</source>
        <translation>%1 nennt Replikat %2 zweimal. Geben Sie jedem Replikat einen Faktor.</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; must be a string in quotes.</source>
        <translation>%1: „%2“ muss ein Text in Anführungszeichen sein.</translation>
    </message>
    <message>
        <source>the file&apos;s comparison cannot be read, because of one of its lanes: %1</source>
        <translation>Der Vergleich der Datei lässt sich nicht lesen, wegen einer seiner Bahnen: %1</translation>
    </message>
    <message>
        <source>a budget of %1 examples is less than one step of %2. Give a larger budget, or smaller batches.</source>
        <translation>ein Budget von %1 Beispielen ist weniger als ein Schritt mit %2. Geben Sie ein größeres Budget oder kleinere Batches an.</translation>
    </message>
    <message>
        <source>names &apos;%1&apos;, a link of neither this file nor the built-in catalogue. Correct it or add the link.</source>
        <translation>nennt „%1“, einen Link weder dieser Datei noch des eingebauten Katalogs. Berichtigen Sie ihn oder ergänzen Sie den Link.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not hold %2, but folders of pictures. Use --dataset colour to train with these.</source>
        <translation>„%1“ enthält nicht %2, sondern Ordner mit Bildern. --dataset colour trainiert mit diesen.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, more than the peak itself. Write a share of the peak from 1e-6 to 1, such as 0.45.</source>
        <translation>ist „%1“, mehr als die Spitzenleistung selbst. Schreiben Sie einen Anteil an der Spitzenleistung von 1e-6 bis 1, etwa 0.45.</translation>
    </message>
    <message>
        <source>the global batch of %1 examples is more than %2. Lower --batch-per-replica or --replicas.</source>
        <translation>Der globale Batch von %1 Beispielen ist größer als %2. Senken Sie --batch-per-replica oder --replicas.</translation>
    </message>
    <message>
        <source>%1: the copies of %2 differ, and real processes do not send theirs to a checkpoint. Leave it out, or train in one process.</source>
        <translation>%1: Die Kopien von %2 unterscheiden sich, und echte Prozesse schicken sie an keinen Checkpoint. Lassen Sie die Option weg, oder trainieren Sie in einem einzigen Prozess.</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is the recording of a class that ended before its first update, so there is nothing to train again. Name the file of a class in which workers have computed.</source>
        <translation>„%1“ ist die Aufzeichnung einer Klasse, die vor ihrem ersten Update geendet hat; es gibt also nichts erneut zu trainieren. Nennen Sie die Datei einer Klasse, in der Worker gerechnet haben.</translation>
    </message>
    <message>
        <source>%1 processes: the workers of %2 come and go, but a process that ends takes the whole MPI job with it. As real processes they join a class: use `strategylab-cli launch`, or in the window Run &gt; Serve to the class. Or use --strategy multi-worker-mirrored, or %1 cpu.</source>
        <translation>%1 processes: Die Worker von %2 kommen und gehen, aber ein Prozess, der endet, beendet den ganzen MPI-Job. Als echte Prozesse treten sie einer Klasse bei: Nehmen Sie `strategylab-cli launch`, oder im Fenster Lauf &gt; Für die Klasse bereitstellen. Oder nehmen Sie --strategy multi-worker-mirrored, oder %1 cpu.</translation>
    </message>
    <message>
        <source>%1 failed: %2. Check whether all hosts are reachable, then start again.</source>
        <translation>%1 ist fehlgeschlagen: %2. Prüfen Sie, ob alle Hosts erreichbar sind, und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>%1 has not been heard from for %2 s, during %3. It was stopped, or its host or the network to it is down. Check that host, then start again.</source>
        <translation>Von %1 war seit %2 s nichts zu hören, bei %3. Er wurde angehalten, oder sein Host oder das Netz dorthin ist ausgefallen. Prüfen Sie den Host und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>%1 is alive, but has not reached %3 for %2 s. Check what that process is doing, then start again; a longer waiting time can be set with %4 or in %5.</source>
        <translation>%1 lebt, ist aber seit %2 s nicht bei %3 angekommen. Sehen Sie nach, was der Prozess tut, und starten Sie dann neu; eine längere Wartezeit lässt sich mit %4 oder in %5 angeben.</translation>
    </message>
    <message>
        <source>%1 and %4 have waited for each other for %2 s, during %3. The network between them is down. Check it, then start again.</source>
        <translation>%1 und %4 warten seit %2 s aufeinander, bei %3. Das Netz zwischen ihnen ist ausgefallen. Prüfen Sie es und starten Sie dann neu.</translation>
    </message>
    <message>
        <source>all workers have waited for each other for %1 s, during %2, and NCCL does not say which one is missing. Check the GPUs and the network between the hosts (NCCL_DEBUG=WARN shows more), then start again; a longer waiting time can be set with %3 or in %4.</source>
        <translation>alle Worker warten seit %1 s aufeinander, bei %2, und NCCL sagt nicht, auf wen. Prüfen Sie die GPUs und das Netz zwischen den Hosts (NCCL_DEBUG=WARN zeigt mehr) und starten Sie dann neu; eine längere Wartezeit lässt sich mit %3 oder in %4 angeben.</translation>
    </message>
    <message>
        <source>%1 was told to end by a signal, but the others were not. End a run through mpirun or worker 0; start this one again.</source>
        <translation>%1 wurde durch ein Signal aufgefordert zu enden, die anderen nicht. Beenden Sie einen Lauf über mpirun oder Worker 0; starten Sie diesen neu.</translation>
    </message>
    <message>
        <source>does not have as many cells as the header: %1 and not %2. Give each column one cell, and quote cells that hold a comma.</source>
        <translation>hat nicht so viele Zellen wie die Kopfzeile: %1 statt %2. Geben Sie jeder Spalte eine Zelle und setzen Sie Zellen mit Komma in Anführungszeichen.</translation>
    </message>
    <message>
        <source>these are figures for scripts, as --metrics and --json write them. The window opens recordings: train again with --run FILE and name that file.</source>
        <translation>das sind Zahlen für Skripte, wie --metrics und --json sie schreiben. Das Fenster öffnet Aufzeichnungen: Trainieren Sie noch einmal mit --run DATEI und nennen Sie diese Datei.</translation>
    </message>
    <message>
        <source>is &apos;%1&apos;, more than the link can carry. Write at most the rate in the column link_gb_per_s_per_dir.</source>
        <translation>ist „%1“, mehr, als der Link überträgt. Schreiben Sie höchstens die Rate aus der Spalte link_gb_per_s_per_dir.</translation>
    </message>
    <message>
        <source>the layer &apos;%1&apos; (%2) has %3=%4. Use %5 to %6.</source>
        <translation>die Schicht „%1“ (%2) hat %3=%4. Nehmen Sie %5 bis %6.</translation>
    </message>
    <message>
        <source>%3 %4 cannot be spread evenly over %2 hosts. Give a multiple of %2, or another %1.</source>
        <translation>%3 %4 lässt sich nicht gleichmäßig auf %2 Hosts verteilen. Geben Sie ein Vielfaches von %2 an oder ändern Sie %1.</translation>
    </message>
    <message>
        <source>REPLICA:FACTOR, such as 3:2.5 (replica 3 takes 2.5 times as long, from 0.01 to 1000), or several with commas between them</source>
        <translation>REPLIKAT:FAKTOR, etwa 3:2.5 (Replikat 3 braucht 2,5-mal so lange, von 0.01 bis 1000), oder mehrere mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>%1 file needs examples that are read from files where there are several hosts, and %2 in-memory reads none (TensorFlow: NotFoundError): use %2 file, or %1 data</source>
        <translation>%1 file braucht bei mehreren Hosts Beispiele, die aus Dateien gelesen werden, und %2 in-memory liest keine (TensorFlow: NotFoundError): Nehmen Sie %2 file oder %1 data</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is damaged: it is not a whole safetensors file. Delete it to resume from an older checkpoint.</source>
        <translation>„%1“ ist beschädigt: Die safetensors-Datei ist nicht vollständig. Löschen Sie ihn, um von einem älteren Checkpoint fortzusetzen.</translation>
    </message>
</context>
<context>
    <name>lab</name>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nats</translation>
    </message>
    <message>
        <source>each batch</source>
        <translation>je Batch</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>% correct</source>
        <translation>% richtig</translation>
    </message>
    <message>
        <source>Throughput, measured</source>
        <translation>Durchsatz, gemessen</translation>
    </message>
    <message>
        <source>images/s</source>
        <translation>Bilder/s</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>je Schritt</translation>
    </message>
    <message>
        <source>Throughput, modelled</source>
        <translation>Durchsatz, modelliert</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Staleness</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>each worker&apos;s step</source>
        <translation>je Worker-Schritt</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Seconds, measured</source>
        <translation>Sekunden, gemessen</translation>
    </message>
    <message>
        <source>Seconds, modelled</source>
        <translation>Sekunden, modelliert</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Reopen the &amp;last session</source>
        <translation>&amp;Letzte Sitzung wieder öffnen</translation>
    </message>
    <message>
        <source>Opens the settings, file and runs of the last session when StrategyLab starts. They stay stored even when this is off</source>
        <translation>Öffnet beim Start von StrategyLab Einstellungen, Datei und Läufe der letzten Sitzung. Gespeichert bleiben sie auch, wenn dies aus ist</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Wheel on the scrubber</source>
        <translation>Mausrad auf der Zeitleiste</translation>
    </message>
    <message>
        <source>One unit forward or back</source>
        <translation>Eine Einheit vor oder zurück</translation>
    </message>
    <message>
        <source>Tab, Enter</source>
        <translation>Tab, Enter</translation>
    </message>
    <message>
        <source>Go to the next control, and use it</source>
        <translation>Zum nächsten Bedienelement gehen und es benutzen</translation>
    </message>
    <message>
        <source>About StrategyLab</source>
        <translation>Über StrategyLab</translation>
    </message>
    <message>
        <source>Copy system information</source>
        <translation>Systeminformation kopieren</translation>
    </message>
    <message>
        <source>One replica gets the whole batch.</source>
        <translation>Ein Replikat bekommt den ganzen Batch.</translation>
    </message>
    <message>
        <source> Each host reads its own files.</source>
        <translation> Jeder Host liest seine eigenen Dateien.</translation>
    </message>
    <message>
        <source> Sent in total: %1.</source>
        <translation> Insgesamt gesendet: %1.</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>Schritt %1 · %2</translation>
    </message>
    <message>
        <source> · %1 %2</source>
        <translation> · %1 %2</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>The one device gets the whole batch.</source>
        <translation>Das eine Gerät bekommt den ganzen Batch.</translation>
    </message>
    <message>
        <source>Each replica gets a different part of the batch: %1 of the %2 images each.</source>
        <translation>Jedes Replikat bekommt einen anderen Teil des Batches: je %1 der %2 Bilder.</translation>
    </message>
    <message>
        <source>An empty slice means: 0 images, and a gradient of zeros.</source>
        <translation>Ein leerer Teil heißt: 0 Bilder und ein Gradient aus Nullen.</translation>
    </message>
    <message numerus="yes">
        <source>A global batch: %Ln real images from %1.</source>
        <translation>
            <numerusform>Ein globaler Batch: %Ln echtes Bild aus %1.</numerusform>
            <numerusform>Ein globaler Batch: %Ln echte Bilder aus %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Each worker reads its own files.</source>
        <translation>Jeder Worker liest seine eigenen Dateien.</translation>
    </message>
    <message>
        <source>Sharding is off: every worker reads all the data in the same order.</source>
        <translation>Sharding ist aus: Jeder Worker liest alle Daten in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>Every worker reads the same stream and keeps its own share of it.</source>
        <translation>Jeder Worker liest denselben Strom und behält seinen Anteil davon.</translation>
    </message>
    <message>
        <source>All-reduce: each adds up one half and passes it on.</source>
        <translation>All-Reduce: Jedes summiert eine Hälfte und gibt sie weiter.</translation>
    </message>
    <message>
        <source>All-reduce, as a ring: %1 hops add, %1 hops pass the finished pieces on.</source>
        <translation>All-Reduce als Ring: %1 Etappen addieren, %1 Etappen reichen die fertigen Stücke weiter.</translation>
    </message>
    <message>
        <source>All-reduce, as a tree: sums climb to one replica and are copied back down.</source>
        <translation>All-Reduce als Baum: Summen steigen zu einem Replikat auf und werden zurückkopiert.</translation>
    </message>
    <message>
        <source>All-reduce by halving and doubling: partners swap halves, then quarters, and back.</source>
        <translation>All-Reduce durch Halbieren und Verdoppeln: Partner tauschen Hälften, dann Viertel, und zurück.</translation>
    </message>
    <message>
        <source>Hierarchical all-reduce: first inside each host, then between the hosts, then inside again.</source>
        <translation>Hierarchisches All-Reduce: erst in jedem Host, dann zwischen den Hosts, dann wieder im Host.</translation>
    </message>
    <message>
        <source>All-reduce on a torus: along the rows, along the columns, and back.</source>
        <translation>All-Reduce auf einem Torus: entlang der Zeilen, entlang der Spalten, und zurück.</translation>
    </message>
    <message>
        <source>One replica: there is nothing to add, and no copy to compare.</source>
        <translation>Ein Replikat: Es gibt nichts zu addieren und keine Kopie zu vergleichen.</translation>
    </message>
    <message>
        <source>The copies were compared bit by bit, and they differ: this must not happen.</source>
        <translation>Die Kopien wurden Bit für Bit verglichen und unterscheiden sich: Das darf nicht geschehen.</translation>
    </message>
    <message>
        <source>The worker pulls weights, computes on a batch of its own, and pushes gradients.</source>
        <translation>Der Worker holt Gewichte, rechnet auf einem eigenen Batch und schickt Gradienten.</translation>
    </message>
    <message>
        <source>start-up</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>pull</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>aggregate</source>
        <translation>Aggregieren</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Backward, last layer first: each replica gets a gradient of its own.</source>
        <translation>Rückwärts, die letzte Schicht zuerst: Jedes Replikat bekommt einen eigenen Gradienten.</translation>
    </message>
    <message>
        <source>In-memory data: R0 gets the first ⌈%1/%2⌉, and so on; the last ones get what is left.</source>
        <translation>Daten im Speicher: R0 bekommt die ersten ⌈%1/%2⌉ und so weiter; die letzten bekommen den Rest.</translation>
    </message>
    <message>
        <source>File-backed data: shares differ by at most one. “Split evenly” is only one of TensorFlow&apos;s two rules.</source>
        <translation>Daten in Dateien: Anteile unterscheiden sich höchstens um eins. „Gleichmäßig teilen“ ist nur eine der zwei Regeln von TensorFlow.</translation>
    </message>
    <message>
        <source>num_replicas_in_sync counts the replicas of one worker, not the workers.</source>
        <translation>num_replicas_in_sync zählt die Replikate eines Workers, nicht die Worker.</translation>
    </message>
    <message>
        <source>worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>Copies of the variables</source>
        <translation>Kopien der Variablen</translation>
    </message>
    <message>
        <source>one</source>
        <translation>eine</translation>
    </message>
    <message>
        <source>identical</source>
        <translation>identisch</translation>
    </message>
    <message>
        <source>differ since step %1</source>
        <translation>ungleich seit Schritt %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln Replikat</numerusform>
            <numerusform>%Ln Replikate</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> over %Ln hosts</source>
        <translation>
            <numerusform> auf %Ln Host</numerusform>
            <numerusform> auf %Ln Hosts</numerusform>
        </translation>
    </message>
    <message>
        <source> on simulated %1</source>
        <translation> auf simulierter Hardware: %1</translation>
    </message>
    <message>
        <source> on real devices of this computer</source>
        <translation> auf echten Geräten dieses Rechners</translation>
    </message>
    <message>
        <source>%1 training and %2 test images</source>
        <translation>%1 Trainings- und %2 Testbilder</translation>
    </message>
    <message>
        <source>Data: %1, inside this program, %2</source>
        <translation>Daten: %1, in diesem Programm, %2</translation>
    </message>
    <message>
        <source>Data: %1 from %2, %3</source>
        <translation>Daten: %1 aus %2, %3</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>Trainingsverlust</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>Testgenauigkeit</translation>
    </message>
    <message>
        <source>Images/s, measured</source>
        <translation>Bilder/s, gemessen</translation>
    </message>
    <message>
        <source>Images/s, modelled</source>
        <translation>Bilder/s, modelliert</translation>
    </message>
    <message>
        <source>step %1 of %2 · epoch %3</source>
        <translation>Schritt %1 von %2 · Epoche %3</translation>
    </message>
    <message>
        <source>Re&amp;peat, same seed</source>
        <translation>&amp;Wiederholen, gleicher Seed</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen …</translation>
    </message>
    <message>
        <source>Rename the run</source>
        <translation>Lauf umbenennen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>&amp;Note…</source>
        <translation>&amp;Notiz …</translation>
    </message>
    <message>
        <source>A note on the run</source>
        <translation>Eine Notiz zum Lauf</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>&amp;Hide in charts</source>
        <translation>In Diagrammen &amp;verbergen</translation>
    </message>
    <message>
        <source>&amp;Show in charts</source>
        <translation>In Diagrammen &amp;zeigen</translation>
    </message>
    <message>
        <source>Clear the &amp;baseline</source>
        <translation>Vergleichs&amp;basis aufheben</translation>
    </message>
    <message>
        <source>Use as &amp;baseline</source>
        <translation>Als Vergleichs&amp;basis nehmen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>The run on the stage cannot be deleted: begin another run first</source>
        <translation>Der Lauf auf der Bühne kann nicht gelöscht werden: Beginnen Sie erst einen anderen Lauf</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>overlapped comm.</source>
        <translation>verdeckte Komm.</translation>
    </message>
    <message>
        <source>exposed comm.</source>
        <translation>offene Komm.</translation>
    </message>
    <message>
        <source>straggler wait</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Kernelstart</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>taking part</source>
        <translation>beteiligt</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Lan&amp;guage, from the next start on</source>
        <translation>&amp;Sprache, ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>Beamer</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>with the window</source>
        <translation>mit dem Fenster</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>The size of text everywhere, from 8 to 32 points; below 8 it follows the window&apos;s height</source>
        <translation>Die Schriftgröße überall, von 8 bis 32 Punkt; unter 8 richtet sie sich nach der Höhe des Fensters</translation>
    </message>
    <message>
        <source>Size of te&amp;xt</source>
        <translation>Schriftg&amp;röße</translation>
    </message>
    <message>
        <source> Images per replica: %1.</source>
        <translation> Bilder je Replikat: %1.</translation>
    </message>
    <message>
        <source> Mean loss: %1; recognised: %2 of %3.</source>
        <translation> Mittlerer Verlust: %1; erkannt: %2 von %3.</translation>
    </message>
    <message>
        <source> Learning rate: %1.</source>
        <translation> Lernrate: %1.</translation>
    </message>
    <message>
        <source>custom data</source>
        <translation>Ihren eigenen Daten</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>eigene</translation>
    </message>
    <message numerus="yes">
        <source> Staleness: %Ln updates.</source>
        <translation>
            <numerusform> Staleness: %Ln Update.</numerusform>
            <numerusform> Staleness: %Ln Updates.</numerusform>
        </translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Reduced</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>&amp;Motion</source>
        <translation>&amp;Bewegung</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>Ein Problem melden</translation>
    </message>
    <message>
        <source>These details help to find the fault. Read them, take out what you do not want to share, copy them, and add what you did and what you saw. Nothing is sent from here.</source>
        <translation>Diese Angaben helfen, den Fehler zu finden. Lesen Sie sie, nehmen Sie heraus, was Sie nicht weitergeben möchten, kopieren Sie sie, und schreiben Sie dazu, was Sie getan und gesehen haben. Von hier wird nichts gesendet.</translation>
    </message>
    <message>
        <source>&amp;Copy to the clipboard</source>
        <translation>In die Zwischenablage &amp;kopieren</translation>
    </message>
    <message>
        <source>Waiting for the previous run to end</source>
        <translation>Der vorige Lauf wird noch beendet</translation>
    </message>
    <message>
        <source>Reading the images</source>
        <translation>Die Bilder werden gelesen</translation>
    </message>
    <message>
        <source>Setting up replica %1 of %2</source>
        <translation>Replikat %1 von %2 wird eingerichtet</translation>
    </message>
    <message>
        <source>Copying the weights to the replicas</source>
        <translation>Die Gewichte werden auf die Replikate kopiert</translation>
    </message>
    <message>
        <source>Computing the first step</source>
        <translation>Der erste Schritt wird berechnet</translation>
    </message>
    <message>
        <source>Gradient noise scale</source>
        <translation>Rauschskala der Gradienten</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>smoothed estimate</source>
        <translation>geglättete Schätzung</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>stragglers</source>
        <translation>Nachzügler</translation>
    </message>
    <message>
        <source>queue at a server</source>
        <translation>Warteschlange am Server</translation>
    </message>
    <message>
        <source>gradients added on CPU:0</source>
        <translation>Gradienten auf CPU:0 addiert</translation>
    </message>
    <message>
        <source>all-reduce: %1</source>
        <translation>All-Reduce: %1</translation>
    </message>
    <message>
        <source>Step</source>
        <comment>of the moment</comment>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Moment</source>
        <translation>Moment</translation>
    </message>
    <message>
        <source>Loss of its batch</source>
        <translation>Verlust seines Batches</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>compared when the step ends</source>
        <translation>verglichen, wenn der Schritt endet</translation>
    </message>
    <message>
        <source>they differ</source>
        <translation>sie unterscheiden sich</translation>
    </message>
    <message>
        <source>fit averages the replicas&apos; means: an image of %1 weighs %2 times as much as one of %3.</source>
        <translation>fit mittelt die Mittelwerte der Replikate: Ein Bild von %1 zählt %2-mal so viel wie eines von %3.</translation>
    </message>
    <message>
        <source>At the end every replica has the sum.</source>
        <translation>Am Ende hat jedes Replikat die Summe.</translation>
    </message>
    <message>
        <source>All-reduce: NCCL adds the gradients between the GPUs.</source>
        <translation>All-Reduce: NCCL addiert die Gradienten zwischen den GPUs.</translation>
    </message>
    <message>
        <source>All-reduce on one device: all gradients go to R0, one after the other; it adds them and copies the sum back.</source>
        <translation>All-Reduce auf einem Gerät: Alle Gradienten gehen nacheinander zu R0; es addiert sie und kopiert die Summe zurück.</translation>
    </message>
    <message>
        <source>Forward: the network sees the whole batch.</source>
        <translation>Vorwärts: Das Netz sieht den ganzen Batch.</translation>
    </message>
    <message>
        <source>Forward: same weights, different images; each replica computes its own loss.</source>
        <translation>Vorwärts: gleiche Gewichte, verschiedene Bilder; jedes Replikat berechnet seinen eigenen Verlust.</translation>
    </message>
    <message>
        <source>Forward: same weights; each replica computes the loss of its own images.</source>
        <translation>Vorwärts: gleiche Gewichte; jedes Replikat berechnet den Verlust seiner eigenen Bilder.</translation>
    </message>
    <message>
        <source>The loss is %1. Backward, last layer first: the gradient of every weight.</source>
        <translation>Der Verlust ist %1. Rückwärts, die letzte Schicht zuerst: der Gradient jedes Gewichts.</translation>
    </message>
    <message>
        <source>The losses are %1.</source>
        <translation>Die Verluste sind %1.</translation>
    </message>
    <message>
        <source>Same weights, different images, so the losses differ (%1).</source>
        <translation>Gleiche Gewichte, verschiedene Bilder, darum verschiedene Verluste (%1).</translation>
    </message>
    <message>
        <source>One update of the only copy: %1 becomes %2.</source>
        <translation>Ein Update der einzigen Kopie: %1 wird zu %2.</translation>
    </message>
    <message>
        <source>The optimizer updates the weights: %1 becomes %2.</source>
        <translation>Der Optimierer ändert die Gewichte: %1 wird zu %2.</translation>
    </message>
    <message>
        <source>Every replica has applied the same sum to its own copy: all are now %1.</source>
        <translation>Jedes Replikat hat dieselbe Summe auf seine Kopie angewandt: Alle sind jetzt %1.</translation>
    </message>
    <message>
        <source>Every replica applies the same sum to its own copy: %1 becomes %2.</source>
        <translation>Jedes Replikat wendet dieselbe Summe auf seine Kopie an: %1 wird zu %2.</translation>
    </message>
    <message>
        <source>All %1 copies are now %2; they were compared bit by bit: identical.</source>
        <translation>Alle %1 Kopien sind jetzt %2; sie wurden Bit für Bit verglichen: identisch.</translation>
    </message>
    <message>
        <source>They were fresh: nobody had updated in between.</source>
        <translation>Sie waren frisch: Niemand hatte dazwischen ein Update gemacht.</translation>
    </message>
    <message numerus="yes">
        <source>They were %Ln updates stale: others came between.</source>
        <translation>
            <numerusform>Sie waren %Ln Update alt: Ein anderes kam dazwischen.</numerusform>
            <numerusform>Sie waren %Ln Updates alt: Andere kamen dazwischen.</numerusform>
        </translation>
    </message>
    <message>
        <source>File-backed data: shares are fixed, so a short batch fills the first ones and leaves less for the rest.</source>
        <translation>Daten in Dateien: Die Anteile sind fest, darum füllt ein kurzer Batch die ersten und lässt den übrigen weniger.</translation>
    </message>
    <message>
        <source>In-memory data: every host cuts the batch into shares of ⌈%1/%2⌉; the %3 hosts take them in turn.</source>
        <translation>Daten im Speicher: Jeder Host teilt den Batch in Anteile von ⌈%1/%2⌉; die %3 Hosts nehmen sie reihum.</translation>
    </message>
    <message>
        <source>Diverged at step %1: the loss is no longer a finite number, so this run cannot learn any more. Start again with a lower learning rate or with warm-up.</source>
        <translation>Ab Schritt %1 divergiert: Der Verlust ist keine endliche Zahl mehr, also kann dieser Lauf nichts mehr lernen. Beginnen Sie neu mit einer kleineren Lernrate oder mit Aufwärmen.</translation>
    </message>
    <message>
        <source>Diverged at step %1: the loss went from %2 to %3. Start again with a lower learning rate or with warm-up.</source>
        <translation>Ab Schritt %1 divergiert: Der Verlust stieg von %2 auf %3. Beginnen Sie neu mit einer kleineren Lernrate oder mit Aufwärmen.</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Delete %Ln runs</source>
        <translation>
            <numerusform>%Ln Lauf &amp;löschen</numerusform>
            <numerusform>%Ln Läufe &amp;löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the table as &amp;CSV…</source>
        <translation>Tabelle als &amp;CSV speichern …</translation>
    </message>
    <message>
        <source>Copying the weights to the replicas: %1 of %2</source>
        <translation>Die Gewichte werden auf die Replikate kopiert: %1 von %2</translation>
    </message>
    <message>
        <source>Reading the images: %1 of %2</source>
        <translation>Die Bilder werden gelesen: %1 von %2</translation>
    </message>
    <message>
        <source>Copying the images to the GPUs: %1 of %2</source>
        <translation>Die Bilder werden auf die GPUs kopiert: %1 von %2</translation>
    </message>
    <message>
        <source>Opening the GPUs</source>
        <translation>Die GPUs werden geöffnet</translation>
    </message>
    <message>
        <source>Trains a small network for real under the strategies of tf.distribute, and shows what each of them does.

Free software under the GNU General Public License, version 3 or later.
Digits inside this program: OpenCV&apos;s samples, Apache License 2.0.
MNIST, where it is found: Y. LeCun, C. Cortes, C. J. C. Burges. Fashion-MNIST: Zalando SE, MIT License.
Built with Qt and Qt Charts, Eigen, nlohmann-json, zlib, libcurl, OpenSSL and libzip.</source>
        <translation>Trainiert ein kleines Netz wirklich unter den Strategien von tf.distribute und zeigt, was jede von ihnen tut.

Freie Software unter der GNU General Public License, Version 3 oder später.
Ziffern in diesem Programm: Beispiele von OpenCV, Apache License 2.0.
MNIST, wo es gefunden wird: Y. LeCun, C. Cortes, C. J. C. Burges. Fashion-MNIST: Zalando SE, MIT-Lizenz.
Gebaut mit Qt und Qt Charts, Eigen, nlohmann-json, zlib, libcurl, OpenSSL und libzip.</translation>
    </message>
    <message>
        <source>Forward: each replica has weights of its own by now, and computes the loss of its own images.</source>
        <translation>Vorwärts: Jedes Replikat hat inzwischen eigene Gewichte und berechnet den Verlust seiner eigenen Bilder.</translation>
    </message>
    <message>
        <source>Every copy goes its own way: after this step they need not be equal.</source>
        <translation>Jede Kopie geht ihren eigenen Weg: Nach diesem Schritt müssen sie nicht gleich sein.</translation>
    </message>
    <message>
        <source>need not be equal after this step</source>
        <translation>müssen nach diesem Schritt nicht gleich sein</translation>
    </message>
    <message>
        <source>Nothing is distributed: every worker draws batches of its own from the whole data set, and this one is %1&apos;s.</source>
        <translation>Nichts wird verteilt: Jeder Worker zieht eigene Batches aus dem ganzen Datensatz, und dieser gehört %1.</translation>
    </message>
    <message>
        <source>distribute</source>
        <translation>Verteilen</translation>
    </message>
    <message>
        <source>%1, modelled</source>
        <translation>%1, modelliert</translation>
    </message>
    <message>
        <source>%1, measured</source>
        <translation>%1, gemessen</translation>
    </message>
    <message>
        <source>%1, at step %2</source>
        <translation>%1, bei Schritt %2</translation>
    </message>
    <message>
        <source>Cells of the sweep</source>
        <translation>Zellen des Sweeps</translation>
    </message>
    <message>
        <source>best of each batch</source>
        <translation>beste je Batch</translation>
    </message>
    <message>
        <source>Critical batch about %1</source>
        <translation>Kritischer Batch etwa %1</translation>
    </message>
    <message>
        <source>Critical batch about %1 (95 % interval: %2 to %3)</source>
        <translation>Kritischer Batch etwa %1 (95-%-Intervall: %2 bis %3)</translation>
    </message>
    <message>
        <source>perfect scaling</source>
        <translation>perfekte Skalierung</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>angepasste Kurve</translation>
    </message>
    <message>
        <source>critical batch</source>
        <translation>kritischer Batch</translation>
    </message>
    <message>
        <source>%1: from here on, twice the batch saves less than a quarter of the steps.</source>
        <translation>%1: Ab hier spart ein doppelter Batch weniger als ein Viertel der Schritte.</translation>
    </message>
    <message>
        <source>noise scale</source>
        <translation>Rauschskala</translation>
    </message>
    <message>
        <source>This chart needs a target accuracy: give one in the plan.</source>
        <translation>Dieses Diagramm braucht eine Zielgenauigkeit: im Plan angeben.</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Globaler Batch</translation>
    </message>
    <message>
        <source>A curve for each setting.</source>
        <translation>Eine Kurve je Einstellung.</translation>
    </message>
    <message>
        <source>Bold: the best rate of each batch. A curve that leaves it shows where its rule stops working.</source>
        <translation>Fett: die beste Rate je Batch. Eine Kurve, die sich davon entfernt, zeigt, wo ihre Regel aufhört zu wirken.</translation>
    </message>
    <message>
        <source>With a single rule, a bend shows where the rule stops working, not where larger batches stop helping.</source>
        <translation>Bei nur einer Regel zeigt ein Knick, wo die Regel aufhört zu wirken, nicht, wo größere Batches nicht mehr helfen.</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>This chart needs several counts of replicas: make them an axis.</source>
        <translation>Dieses Diagramm braucht mehrere Replikatzahlen: zu einer Achse machen.</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>ideal</translation>
    </message>
    <message>
        <source>Ringed: the fastest way to the target, %1.</source>
        <translation>Eingekreist: der schnellste Weg zum Ziel, %1.</translation>
    </message>
    <message>
        <source>Every run took %1 steps: twice the batch saw twice the images.</source>
        <translation>Jeder Lauf machte %1 Schritte: Der doppelte Batch sah doppelt so viele Bilder.</translation>
    </message>
    <message>
        <source>Every run saw the images equally often: twice the batch took half the steps.</source>
        <translation>Jeder Lauf sah die Bilder gleich oft: Der doppelte Batch brauchte halb so viele Schritte.</translation>
    </message>
    <message>
        <source>Learning rate, before the rule</source>
        <translation>Lernrate, vor der Regel</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>This chart needs several learning rates: make them an axis.</source>
        <translation>Dieses Diagramm braucht mehrere Lernraten: zu einer Achse machen.</translation>
    </message>
    <message>
        <source>This chart needs ParameterServer with several counts of workers: choose the strategy and make replicas an axis.</source>
        <translation>Dieses Diagramm braucht ParameterServer mit mehreren Workerzahlen: die Strategie wählen und die Replikate zu einer Achse machen.</translation>
    </message>
    <message>
        <source>mean staleness %1</source>
        <translation>mittlere Staleness %1</translation>
    </message>
    <message>
        <source>Steps to the target over the batch</source>
        <translation>Schritte zum Ziel über dem Batch</translation>
    </message>
    <message>
        <source>Examples to the target over the batch</source>
        <translation>Beispiele zum Ziel über dem Batch</translation>
    </message>
    <message>
        <source>Time to the target over replicas, modelled</source>
        <translation>Zeit zum Ziel über den Replikaten, modelliert</translation>
    </message>
    <message>
        <source>Time to the target over replicas, measured</source>
        <translation>Zeit zum Ziel über den Replikaten, gemessen</translation>
    </message>
    <message>
        <source>Accuracy over the learning rate</source>
        <translation>Genauigkeit über der Lernrate</translation>
    </message>
    <message>
        <source>Accuracy over the batch</source>
        <translation>Genauigkeit über dem Batch</translation>
    </message>
    <message>
        <source>Accuracy over workers: staleness</source>
        <translation>Genauigkeit über den Workern: Staleness</translation>
    </message>
    <message>
        <source>The sweep has no results yet.</source>
        <translation>Der Sweep hat noch keine Ergebnisse.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln seconds</source>
        <translation>
            <numerusform>%Ln Sekunde</numerusform>
            <numerusform>%Ln Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln minutes</source>
        <translation>
            <numerusform>%Ln Minute</numerusform>
            <numerusform>%Ln Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning-rate rule</source>
        <translation>Lernratenregel</translation>
    </message>
    <message>
        <source>rate unchanged</source>
        <translation>Rate unverändert</translation>
    </message>
    <message>
        <source>√ of the batch</source>
        <translation>√ des Batches</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>linear, warmed up</source>
        <translation>linear, aufgewärmt</translation>
    </message>
    <message>
        <source>Steps to the target</source>
        <translation>Schritte zum Ziel</translation>
    </message>
    <message>
        <source>Examples to the target</source>
        <translation>Beispiele zum Ziel</translation>
    </message>
    <message>
        <source>Time to the target, modelled</source>
        <translation>Zeit zum Ziel, modelliert</translation>
    </message>
    <message>
        <source>Time to the target, measured</source>
        <translation>Zeit zum Ziel, gemessen</translation>
    </message>
    <message>
        <source>Test accuracy at the end</source>
        <translation>Testgenauigkeit am Ende</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartend</translation>
    </message>
    <message>
        <source>running</source>
        <translation>laufend</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>divergiert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>cannot run</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>N</source>
        <comment>mark of a cell: not reached</comment>
        <translation>N</translation>
    </message>
    <message>
        <source>D</source>
        <comment>mark of a cell: diverged</comment>
        <translation>D</translation>
    </message>
    <message>
        <source>F</source>
        <comment>mark of a cell: failed</comment>
        <translation>F</translation>
    </message>
    <message>
        <source>C</source>
        <comment>mark of a cell: cancelled</comment>
        <translation>A</translation>
    </message>
    <message>
        <source>X</source>
        <comment>mark of a cell: cannot run, too large or invalid</comment>
        <translation>X</translation>
    </message>
    <message numerus="yes">
        <source>mean of %Ln seeds</source>
        <translation>
            <numerusform>Wert von %Ln Seed</numerusform>
            <numerusform>Mittel aus %Ln Seeds</numerusform>
        </translation>
    </message>
    <message>
        <source>± %1, from %2 to %3</source>
        <translation>± %1, von %2 bis %3</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>Regel: %1</translation>
    </message>
    <message>
        <source>best of its row</source>
        <translation>bester Wert der Zeile</translation>
    </message>
    <message>
        <source>replica</source>
        <translation>Replikat</translation>
    </message>
    <message>
        <source>recognised as</source>
        <translation>erkannt als</translation>
    </message>
    <message>
        <source>loss of the image</source>
        <translation>Verlust des Bildes</translation>
    </message>
    <message>
        <source>length of its own gradient</source>
        <translation>Länge seines eigenen Gradienten</translation>
    </message>
    <message>
        <source>largest value of its gradient</source>
        <translation>größter Wert seines Gradienten</translation>
    </message>
    <message>
        <source>length of the gradient that the optimizer used</source>
        <translation>Länge des Gradienten, den der Optimierer verwendet hat</translation>
    </message>
    <message>
        <source>length of the weights after the step</source>
        <translation>Länge der Gewichte nach dem Schritt</translation>
    </message>
    <message>
        <source>largest weight</source>
        <translation>größtes Gewicht</translation>
    </message>
    <message>
        <source>distance of this copy to the first</source>
        <translation>Abstand dieser Kopie zur ersten</translation>
    </message>
    <message>
        <source>time in this step</source>
        <translation>Zeit in diesem Schritt</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Bytes a step</source>
        <translation>Bytes je Schritt</translation>
    </message>
    <message>
        <source>Busiest link</source>
        <translation>Meistbelegter Link</translation>
    </message>
    <message>
        <source>Copies identical</source>
        <translation>Kopien gleich</translation>
    </message>
    <message>
        <source>Weight distance</source>
        <translation>Gewichtsabstand</translation>
    </message>
    <message>
        <source>Steps to target</source>
        <translation>Schritte bis zum Ziel</translation>
    </message>
    <message>
        <source>Seconds to target</source>
        <translation>Zeit bis zum Ziel</translation>
    </message>
    <message>
        <source>Over the images of this step, before the update.</source>
        <translation>Über die Bilder dieses Schritts, vor dem Update.</translation>
    </message>
    <message>
        <source>From the latest evaluation on the test images before the end of this step.</source>
        <translation>Aus der letzten Auswertung auf den Testbildern vor dem Ende dieses Schritts.</translation>
    </message>
    <message>
        <source>How long the modelled devices take; for an asynchronous worker, its own cycle.</source>
        <translation>Wie lange die modellierten Geräte brauchen; bei einem asynchronen Worker sein eigener Zyklus.</translation>
    </message>
    <message>
        <source>How long this program took while other lanes may have trained beside it: do not quote this number.</source>
        <translation>Wie lange dieses Programm brauchte, während vielleicht andere Bahnen daneben trainierten: diese Zahl bitte nicht zitieren.</translation>
    </message>
    <message>
        <source>Sent by all ranks together.</source>
        <translation>Von allen Rängen zusammen gesendet.</translation>
    </message>
    <message>
        <source>The link that carried most in this step, and how much.</source>
        <translation>Der Link, der in diesem Schritt am meisten trug, und wie viel.</translation>
    </message>
    <message>
        <source>Updates by others between a worker&apos;s pull and its push: the mean so far.</source>
        <translation>Updates anderer zwischen dem Holen und dem Schicken eines Workers, im Mittel bisher.</translation>
    </message>
    <message>
        <source>Whether the replicas&apos; copies of the variables are the same, bit for bit.</source>
        <translation>Ob die Kopien der Variablen auf den Replikaten bis aufs Bit gleich sind.</translation>
    </message>
    <message>
        <source>Until an evaluation reached the target accuracy on the test images; seconds are modelled.</source>
        <translation>Bis eine Auswertung die Zielgenauigkeit auf den Testbildern erreichte; die Zeit ist modelliert.</translation>
    </message>
    <message>
        <source>≠ no</source>
        <comment>copies identical</comment>
        <translation>≠ nein</translation>
    </message>
    <message>
        <source> points</source>
        <comment>percentage points</comment>
        <translation> Punkte</translation>
    </message>
    <message>
        <source>Other settings: %1.</source>
        <translation>Andere Einstellungen: %1.</translation>
    </message>
    <message>
        <source>Another global batch: %1 images instead of %2.</source>
        <translation>Ein anderer globaler Batch: %1 Bilder statt %2.</translation>
    </message>
    <message>
        <source>It has one replica, which computes the whole batch.</source>
        <translation>Sie hat ein Replikat, das den ganzen Batch rechnet.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas instead of %1.</source>
        <translation>
            <numerusform>%Ln Replikat statt %1.</numerusform>
            <numerusform>%Ln Replikate statt %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>On %1 instead of %2.</source>
        <translation>Auf %1 statt %2.</translation>
    </message>
    <message>
        <source>Not the same images in each step: every host shuffles its own.</source>
        <translation>Nicht dieselben Bilder in jedem Schritt: Jeder Host mischt seine eigenen.</translation>
    </message>
    <message>
        <source>Its time is measured while other lanes train beside it.</source>
        <translation>Ihre Zeit wird gemessen, während andere Bahnen daneben trainieren.</translation>
    </message>
    <message>
        <source>The same arithmetic in the same order.</source>
        <translation>Dieselbe Rechnung in derselben Reihenfolge.</translation>
    </message>
    <message>
        <source>The two lanes have seen different images, or began with different weights.</source>
        <translation>Die beiden Bahnen haben verschiedene Bilder gesehen oder mit verschiedenen Gewichten begonnen.</translation>
    </message>
    <message>
        <source>The steps of the two lanes have different numbers of images.</source>
        <translation>Die Schritte der beiden Bahnen haben verschieden viele Bilder.</translation>
    </message>
    <message>
        <source>The optimizer settings of the two lanes differ.</source>
        <translation>Die Einstellungen der Optimierer beider Bahnen unterscheiden sich.</translation>
    </message>
    <message>
        <source>Asynchronous workers compute with weights that others have changed meanwhile, and each update comes from the images of only one worker.</source>
        <translation>Asynchrone Worker rechnen mit Gewichten, die andere inzwischen geändert haben, und jedes Update kommt nur von den Bildern eines einzigen Workers.</translation>
    </message>
    <message>
        <source>One lane rounds the operands of matrix products to bfloat16, which has 8 bits of precision.</source>
        <translation>Eine Bahn rundet die Operanden der Matrixprodukte auf bfloat16, das 8 Bit Genauigkeit hat.</translation>
    </message>
    <message>
        <source>The two lanes add in different ways, but here those give the same sums in the same order.</source>
        <translation>Die beiden Bahnen addieren auf verschiedenen Wegen, die hier aber dieselben Summen in derselben Reihenfolge ergeben.</translation>
    </message>
    <message>
        <source>The same gradients are added in another order, and float32 rounds each sum.</source>
        <translation>Dieselben Gradienten werden in anderer Reihenfolge addiert, und float32 rundet jede Summe.</translation>
    </message>
    <message>
        <source>The same gradients are added in another order; training amplifies the rounding, most of all with an optimizer that divides by small numbers.</source>
        <translation>Dieselben Gradienten werden in anderer Reihenfolge addiert; das Training verstärkt die Rundung, am meisten mit einem Optimierer, der durch kleine Zahlen teilt.</translation>
    </message>
    <message>
        <source>Not compared yet: both lanes must have reached the same point.</source>
        <translation>Noch nicht verglichen: Beide Bahnen müssen dieselbe Stelle erreicht haben.</translation>
    </message>
    <message>
        <source>The same weights as %1, to the bit.</source>
        <translation>Bis aufs Bit dieselben Gewichte wie %1.</translation>
    </message>
    <message>
        <source>Differs from %1 by rounding, since step %2 or before.</source>
        <translation>Weicht von %1 durch Rundung ab, seit Schritt %2 oder früher.</translation>
    </message>
    <message>
        <source>Differs from %1 by more than rounding, since step %2 or before.</source>
        <translation>Weicht von %1 um mehr als Rundung ab, seit Schritt %2 oder früher.</translation>
    </message>
    <message>
        <source>Every run ended where it reached its target, or after %1 epochs. To compare accuracies, choose a budget of steps or examples.</source>
        <translation>Jeder Lauf endete, sobald er sein Ziel erreichte, oder nach %1 Epochen. Um Genauigkeiten zu vergleichen, ein Budget an Schritten oder Beispielen wählen.</translation>
    </message>
    <message numerus="yes">
        <source>No global batch: a step belongs to one worker and has %Ln images;</source>
        <translation>
            <numerusform>Kein globaler Batch: Ein Schritt gehört einem Worker und hat %Ln Bild;</numerusform>
            <numerusform>Kein globaler Batch: Ein Schritt gehört einem Worker und hat %Ln Bilder;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln steps see as many images as one step of the others.</source>
        <translation>
            <numerusform>%Ln Schritt sieht so viele Bilder wie ein Schritt der anderen.</numerusform>
            <numerusform>%Ln Schritte sehen so viele Bilder wie ein Schritt der anderen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Matrix products in bfloat16: the weights differ by more than float32 rounding.</source>
        <translation>Matrixprodukte in bfloat16: Die Gewichte unterscheiden sich um mehr als die Rundung von float32.</translation>
    </message>
    <message>
        <source>Every lane at the step that it showed. In brackets, the difference from %1.</source>
        <translation>Jede Bahn an dem Schritt, den sie zeigte. In Klammern der Unterschied zu %1.</translation>
    </message>
    <message>
        <source>Published: how much longer than modelled a step took in 9 in 10 published measurements with the same bottleneck. Settings have the names that the command line uses.</source>
        <translation>Veröffentlicht: um wie viel länger als modelliert ein Schritt in 9 von 10 veröffentlichten Messungen mit demselben Engpass dauerte. Einstellungen heißen wie auf der Kommandozeile.</translation>
    </message>
    <message>
        <source>This lane had not trained a step yet and is left out.</source>
        <translation>Diese Bahn hatte noch keinen Schritt trainiert und fehlt.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>lane, sentence</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>&amp;Compare with the run on the stage</source>
        <translation>Mit dem Lauf auf der Bühne ver&amp;gleichen</translation>
    </message>
    <message>
        <source>Trains this run once more, in a lane beside the run on the stage</source>
        <translation>Trainiert diesen Lauf noch einmal, in einer Bahn neben dem Lauf auf der Bühne</translation>
    </message>
    <message>
        <source>%1 from step %2</source>
        <translation>%1 ab Schritt %2</translation>
    </message>
    <message>
        <source>The window&apos;s run shows no step yet.</source>
        <translation>Der Lauf des Fensters zeigt noch keinen Schritt.</translation>
    </message>
    <message>
        <source>Click a replica&apos;s weights or its gradient on the stage first.</source>
        <translation>Klicken Sie zuerst auf der Bühne auf die Gewichte oder den Gradienten eines Replikats.</translation>
    </message>
    <message>
        <source>The selected object belongs to no replica. Click a replica&apos;s weights or its gradient.</source>
        <translation>Das ausgewählte Objekt gehört keinem Replikat. Klicken Sie auf die Gewichte oder den Gradienten eines Replikats.</translation>
    </message>
    <message>
        <source>Nothing changed, as a check</source>
        <translation>Nichts geändert, zur Probe</translation>
    </message>
    <message>
        <source>Flip the bit of its sign</source>
        <translation>Das Bit des Vorzeichens kippen</translation>
    </message>
    <message>
        <source>Flip a bit of its exponent</source>
        <translation>Ein Bit des Exponenten kippen</translation>
    </message>
    <message>
        <source>Flip its lowest bit</source>
        <translation>Das unterste Bit kippen</translation>
    </message>
    <message>
        <source>Add 1</source>
        <translation>1 addieren</translation>
    </message>
    <message>
        <source>Set to 0</source>
        <translation>Auf 0 setzen</translation>
    </message>
    <message>
        <source>A value was changed by hand in one of them, which these weights do not show.</source>
        <translation>In einem von beiden wurde ein Wert von Hand geändert, was diese Gewichte nicht zeigen.</translation>
    </message>
    <message>
        <source>A value was changed by hand in one of them.</source>
        <translation>In einem von beiden wurde ein Wert von Hand geändert.</translation>
    </message>
    <message>
        <source>The copies were compared bit by bit, and they differ: a value was changed by hand.</source>
        <translation>Die Kopien wurden Bit für Bit verglichen und unterscheiden sich: Ein Wert wurde von Hand geändert.</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>input pipeline</source>
        <translation>Eingabe-Pipeline</translation>
    </message>
    <message>
        <source>losses</source>
        <translation>Verluste</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>the end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Each replica&apos;s loss: the sum over its own images, divided by the global batch.</source>
        <translation>Der Verlust jedes Replikats: die Summe über seine eigenen Bilder, geteilt durch den globalen Batch.</translation>
    </message>
    <message>
        <source>Each replica&apos;s loss: the mean over its own images, divided by the %1 replicas.</source>
        <translation>Der Verlust jedes Replikats: der Mittelwert über seine eigenen Bilder, geteilt durch die %1 Replikate.</translation>
    </message>
    <message>
        <source>strategy.reduce(SUM) adds them: %1.</source>
        <translation>strategy.reduce(SUM) addiert sie: %1.</translation>
    </message>
    <message>
        <source>That is the step&apos;s loss, the mean over all images.</source>
        <translation>Das ist der Verlust des Schritts, der Mittelwert über alle Bilder.</translation>
    </message>
    <message>
        <source>This batch is short; the mean over its images, as reported, is %1.</source>
        <translation>Dieser Batch ist kurz; der Mittelwert über seine Bilder, wie er berichtet wird, ist %1.</translation>
    </message>
    <message>
        <source>The shares are unequal; the mean over all images, as reported, is %1.</source>
        <translation>Die Anteile sind ungleich; der Mittelwert über alle Bilder, wie er berichtet wird, ist %1.</translation>
    </message>
    <message>
        <source>TensorFlow logs this sum: “Reduce to CPU:0 then broadcast to (CPU:0)”. Its few bytes are not in the time.</source>
        <translation>TensorFlow protokolliert diese Summe: „Reduce to CPU:0 then broadcast to (CPU:0)“. Ihre wenigen Bytes sind nicht in der Zeit.</translation>
    </message>
    <message>
        <source>Epoch %1 is over: the mean of its %2 steps&apos; losses is what a custom loop prints.</source>
        <translation>Epoche %1 ist vorbei: Den Mittelwert der Verluste ihrer %2 Schritte gibt eine eigene Schleife aus.</translation>
    </message>
    <message>
        <source>fit prints a running mean over all images so far: with a short last batch the two differ a little.</source>
        <translation>fit gibt einen laufenden Mittelwert über alle Bilder bisher aus: Mit einem kurzen letzten Batch weichen beide etwas ab.</translation>
    </message>
    <message>
        <source>All images are in this program&apos;s memory: nothing is read from files again.</source>
        <translation>Alle Bilder sind im Speicher dieses Programms: Nichts wird noch einmal aus einer Datei gelesen.</translation>
    </message>
    <message>
        <source>The buffer works like tf.data&apos;s; the random numbers are StrategyLab&apos;s own. Images stay in memory, as bytes.</source>
        <translation>Der Puffer arbeitet wie der von tf.data; die Zufallszahlen sind von StrategyLab. Bilder bleiben als Bytes im Speicher.</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s log says of these gradients: “Reduce to CPU:0 then broadcast to (…)”, once per variable, when the step is traced.</source>
        <translation>TensorFlow protokolliert für diese Gradienten: „Reduce to CPU:0 then broadcast to (…)“, einmal je Variable, beim Tracing des Schritts.</translation>
    </message>
    <message>
        <source>TensorFlow&apos;s log says of these gradients: “Reduce to … then broadcast to (…)”, once per variable, when the step is traced.</source>
        <translation>TensorFlow protokolliert für diese Gradienten: „Reduce to … then broadcast to (…)“, einmal je Variable, beim Tracing des Schritts.</translation>
    </message>
    <message>
        <source>TensorFlow logs “algorithm = hierarchical_copy” for these gradients; “Reduce to CPU:0 …” is about losses and metrics.</source>
        <translation>TensorFlow protokolliert für diese Gradienten „algorithm = hierarchical_copy“; „Reduce to CPU:0 …“ betrifft Verluste und Metriken.</translation>
    </message>
    <message>
        <source>“Reduce to CPU:0 then broadcast” in TensorFlow&apos;s log is about losses and metrics, not these gradients.</source>
        <translation>„Reduce to CPU:0 then broadcast“ in TensorFlows Protokoll betrifft Verluste und Metriken, nicht diese Gradienten.</translation>
    </message>
    <message>
        <source>The log line “INFO:tensorflow:Reduce to /job:localhost/replica:0/task:0/device:CPU:0 then broadcast to (…)” comes only from ReductionToOneDevice, when a step is traced or runs eagerly, each text at most 10 times.</source>
        <translation>Die Protokollzeile „INFO:tensorflow:Reduce to /job:localhost/replica:0/task:0/device:CPU:0 then broadcast to (…)“ kommt nur von ReductionToOneDevice, beim Tracing eines Schritts oder wenn er eager läuft, jeder Text höchstens 10-mal.</translation>
    </message>
    <message>
        <source>Here gradients go to the servers without it; only a worker with several GPUs would add on its CPU:0.</source>
        <translation>Hier gehen Gradienten ohne sie zu den Servern; nur ein Worker mit mehreren GPUs würde auf seiner CPU:0 addieren.</translation>
    </message>
    <message>
        <source>On a TPU the sum is part of the compiled program: TensorFlow logs nothing about it.</source>
        <translation>Auf einer TPU ist die Summe Teil des kompilierten Programms: TensorFlow protokolliert nichts davon.</translation>
    </message>
    <message>
        <source>With one replica nothing is reduced.</source>
        <translation>Mit einem Replikat wird nichts reduziert.</translation>
    </message>
    <message>
        <source>Here it is about the gradients, once for each variable.</source>
        <translation>Hier betrifft sie die Gradienten, einmal für jede Variable.</translation>
    </message>
    <message>
        <source>1. find the TPU&apos;s address</source>
        <translation>1. die Adresse der TPU finden</translation>
    </message>
    <message>
        <source>First the TPU&apos;s address: its name, or “local” on the machine that has it.</source>
        <translation>Zuerst die Adresse der TPU: ihr Name, oder „local“ auf dem Rechner, der sie hat.</translation>
    </message>
    <message>
        <source>Then a resolver for this address: it knows where the cluster is.</source>
        <translation>Dann ein Resolver für diese Adresse: Er weiß, wo der Cluster ist.</translation>
    </message>
    <message>
        <source>Now the program connects to the cluster that the resolver has found.</source>
        <translation>Jetzt verbindet sich das Programm mit dem Cluster, den der Resolver gefunden hat.</translation>
    </message>
    <message>
        <source>The TPU system is initialised: whatever was in its memory is wiped.</source>
        <translation>Das TPU-System wird initialisiert: Was in seinem Speicher war, wird gelöscht.</translation>
    </message>
    <message>
        <source>Only now is the strategy made: it asks the TPU for the number of its cores.</source>
        <translation>Erst jetzt entsteht die Strategie: Sie fragt die TPU nach der Zahl ihrer Kerne.</translation>
    </message>
    <message>
        <source>Variables are created in the strategy&apos;s scope, one copy per core.</source>
        <translation>Variablen werden im Scope der Strategie angelegt, eine Kopie je Kern.</translation>
    </message>
    <message>
        <source>TF_CONFIG is read: who is in the cluster, and who am I</source>
        <translation>TF_CONFIG wird gelesen: wer im Cluster ist, und wer ich bin</translation>
    </message>
    <message>
        <source>Every worker runs the same program and reads from TF_CONFIG which task it is. It must be set before.</source>
        <translation>Jeder Worker führt dasselbe Programm aus und liest in TF_CONFIG, welche Task er ist. Es muss vorher gesetzt sein.</translation>
    </message>
    <message>
        <source>worker 0 is the chief: it saves checkpoints and logs</source>
        <translation>Worker 0 ist der Chief: Er speichert Checkpoints und Protokolle</translation>
    </message>
    <message>
        <source>No chief is named, so worker 0 is the chief: it alone keeps checkpoints and logs, and trains like the rest.</source>
        <translation>Kein Chief ist genannt, also ist es Worker 0: Er allein behält Checkpoints und Protokolle und trainiert wie die anderen.</translation>
    </message>
    <message>
        <source>each constructor waits until all %1 workers are there</source>
        <translation>jeder Konstruktor wartet, bis alle %1 Worker da sind</translation>
    </message>
    <message>
        <source>The strategy&apos;s constructor blocks until all %1 workers are there. If one never starts, all wait forever.</source>
        <translation>Der Konstruktor der Strategie wartet, bis alle %1 Worker da sind. Startet einer nie, warten alle für immer.</translation>
    </message>
    <message>
        <source>variables are created; the chief&apos;s initial values count</source>
        <translation>Variablen werden angelegt; die Anfangswerte des Chiefs gelten</translation>
    </message>
    <message>
        <source>Variables are created in the scope. The chief&apos;s initial values are broadcast, whatever seeds the others have.</source>
        <translation>Variablen werden im Scope angelegt. Die Anfangswerte des Chiefs gehen an alle, welche Seeds die anderen auch haben.</translation>
    </message>
    <message>
        <source>TF_CONFIG gives each task its role: one coordinator (the chief), workers, and parameter servers.</source>
        <translation>TF_CONFIG gibt jeder Task ihre Rolle: ein Koordinator (der Chief), Worker und Parameterserver.</translation>
    </message>
    <message>
        <source>workers and servers start tf.distribute.Server and wait</source>
        <translation>Worker und Server starten tf.distribute.Server und warten</translation>
    </message>
    <message>
        <source>Workers and servers only start a server and wait; the training program runs only on the coordinator.</source>
        <translation>Worker und Server starten nur einen Server und warten; das Trainingsprogramm läuft nur auf dem Koordinator.</translation>
    </message>
    <message>
        <source>the coordinator connects to all of them</source>
        <translation>der Koordinator verbindet sich mit allen</translation>
    </message>
    <message>
        <source>The coordinator connects to the cluster and makes the strategy and a ClusterCoordinator.</source>
        <translation>Der Koordinator verbindet sich mit dem Cluster und erzeugt die Strategie und einen ClusterCoordinator.</translation>
    </message>
    <message>
        <source>variables are created on the servers, in turn</source>
        <translation>Variablen werden reihum auf den Servern angelegt</translation>
    </message>
    <message>
        <source>Variables are created on the servers, one after the other in turn, whatever their size.</source>
        <translation>Variablen werden auf den Servern angelegt, eine nach der anderen reihum, gleich wie groß.</translation>
    </message>
    <message>
        <source>the strategy: %1</source>
        <translation>die Strategie: %1</translation>
    </message>
    <message>
        <source>The strategy is there: one replica, nothing to connect to.</source>
        <translation>Die Strategie ist da: ein Replikat, nichts zu verbinden.</translation>
    </message>
    <message>
        <source>variables are created, once</source>
        <translation>Variablen werden einmal angelegt</translation>
    </message>
    <message>
        <source>Variables are created, each once.</source>
        <translation>Variablen werden angelegt, jede einmal.</translation>
    </message>
    <message>
        <source>the strategy: %1, %2 devices</source>
        <translation>die Strategie: %1, %2 Geräte</translation>
    </message>
    <message>
        <source>The strategy finds the devices of this machine: %1, each becomes a replica.</source>
        <translation>Die Strategie findet die Geräte dieses Rechners: %1, jedes wird ein Replikat.</translation>
    </message>
    <message>
        <source>variables are created on CPU:0, once</source>
        <translation>Variablen werden einmal auf CPU:0 angelegt</translation>
    </message>
    <message>
        <source>Variables are created in the strategy&apos;s scope: one copy of each, on CPU:0.</source>
        <translation>Variablen werden im Scope der Strategie angelegt: je eine Kopie, auf CPU:0.</translation>
    </message>
    <message>
        <source>variables are created in scope(), one per device</source>
        <translation>Variablen werden in scope() angelegt, eine Kopie je Gerät</translation>
    </message>
    <message>
        <source>Variables created in the strategy&apos;s scope are mirrored: one copy per device.</source>
        <translation>Im Scope der Strategie angelegte Variablen werden gespiegelt: eine Kopie je Gerät.</translation>
    </message>
    <message>
        <source>eager: Python runs operation by operation, up to here</source>
        <translation>eager: Bis hierher führt Python Operation für Operation aus</translation>
    </message>
    <message>
        <source>So far Python ran eagerly, one operation after the other. Eager mode is for set-up and debugging.</source>
        <translation>Bisher lief Python eager, eine Operation nach der anderen. Der Eager-Modus ist für Aufbau und Fehlersuche.</translation>
    </message>
    <message>
        <source>first call of the step: traced once, into a graph</source>
        <translation>erster Aufruf des Schritts: einmal Tracing, ein Graph entsteht</translation>
    </message>
    <message>
        <source>The first call of the step, a tf.function, is traced once: Python runs, and a graph is written.</source>
        <translation>Beim ersten Aufruf des Schritts, einer tf.function, findet einmal das Tracing statt: Python läuft, und ein Graph entsteht.</translation>
    </message>
    <message>
        <source>from then on the graph runs, without Python</source>
        <translation>von da an läuft der Graph, ohne Python</translation>
    </message>
    <message>
        <source>FILE: each worker reads its own files</source>
        <translation>FILE: Jeder Worker liest eigene Dateien</translation>
    </message>
    <message>
        <source>OFF: every worker gets all the data</source>
        <translation>OFF: Jeder Worker bekommt alle Daten</translation>
    </message>
    <message>
        <source>DATA: each keeps one part in %1</source>
        <translation>DATA: Jeder behält einen von %1 Teilen</translation>
    </message>
    <message>
        <source>Auto-shard by FILE comes first in the pipeline, so each worker reads other files.</source>
        <translation>Auto-Shard nach FILE kommt in der Pipeline zuerst, also liest jeder Worker andere Dateien.</translation>
    </message>
    <message>
        <source>Auto-shard is OFF: every worker&apos;s pipeline gives all the data.</source>
        <translation>Auto-Shard ist OFF: Die Pipeline jedes Workers liefert alle Daten.</translation>
    </message>
    <message>
        <source>Auto-shard, by DATA: every worker runs all of the pipeline and keeps its own part of each batch.</source>
        <translation>Auto-Shard, nach DATA: Jeder Worker führt die ganze Pipeline aus und behält seinen Teil jedes Batches.</translation>
    </message>
    <message>
        <source>auto-shard</source>
        <translation>Auto-Shard</translation>
    </message>
    <message>
        <source>read</source>
        <translation>lesen</translation>
    </message>
    <message>
        <source>%1 images, bytes 0–255</source>
        <translation>%1 Bilder, Bytes 0–255</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>skalieren</translation>
    </message>
    <message>
        <source>÷ 255: from 0 to 1</source>
        <translation>÷ 255: von 0 bis 1</translation>
    </message>
    <message>
        <source>Scaled: every pixel is divided by 255, so that it lies from 0 to 1.</source>
        <translation>Skaliert: Jedes Pixel wird durch 255 geteilt und liegt dann zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>epoch 1: it is filled</source>
        <translation>Epoche 1: wird gefüllt</translation>
    </message>
    <message>
        <source>epoch %1: read from it</source>
        <translation>Epoche %1: wird gelesen</translation>
    </message>
    <message>
        <source>cache(): the first epoch fills it with scaled images; later epochs read them from it.</source>
        <translation>cache(): Die erste Epoche füllt ihn mit skalierten Bildern; spätere Epochen lesen sie daraus.</translation>
    </message>
    <message>
        <source>cache(): this is epoch %1, the scaled images are read from it.</source>
        <translation>cache(): Dies ist Epoche %1, die skalierten Bilder werden daraus gelesen.</translation>
    </message>
    <message>
        <source>shuffle</source>
        <translation>mischen</translation>
    </message>
    <message>
        <source>a buffer of %1</source>
        <translation>ein Puffer von %1</translation>
    </message>
    <message>
        <source>shuffle(%1): each draw takes one of %2 waiting images; the next of the rest takes its place.</source>
        <translation>shuffle(%1): Jeder Zug nimmt eines von %2 wartenden Bildern; das nächste der übrigen rückt nach.</translation>
    </message>
    <message>
        <source>shuffle(%1): the buffer holds all %2 images, so every order is equally likely.</source>
        <translation>shuffle(%1): Der Puffer fasst alle %2 Bilder, also ist jede Reihenfolge gleich wahrscheinlich.</translation>
    </message>
    <message>
        <source>no shuffle</source>
        <translation>nicht mischen</translation>
    </message>
    <message>
        <source>in the data&apos;s order</source>
        <translation>in Reihenfolge der Daten</translation>
    </message>
    <message>
        <source>No shuffle: the images come in the data&apos;s order.</source>
        <translation>Kein Mischen: Die Bilder kommen in der Reihenfolge der Daten.</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>Bilder: %1</translation>
    </message>
    <message>
        <source>batch(%1): for one worker&apos;s step. Every worker has its own pipeline like this.</source>
        <translation>batch(%1): für den Schritt eines Workers. Jeder Worker hat eine eigene Pipeline wie diese.</translation>
    </message>
    <message>
        <source>batch(%1): these are the images that were drawn first in this epoch.</source>
        <translation>batch(%1): Das sind die Bilder, die in dieser Epoche zuerst gezogen wurden.</translation>
    </message>
    <message>
        <source>epoch mean</source>
        <translation>Epochenmittel</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Differs from %1 by rounding, since step %2.</source>
        <translation>Weicht von %1 durch Rundung ab, seit Schritt %2.</translation>
    </message>
    <message>
        <source>Differs from %1 by more than rounding, since step %2.</source>
        <translation>Weicht von %1 um mehr als Rundung ab, seit Schritt %2.</translation>
    </message>
    <message>
        <source>Every replica applies the same sum to its own copy, but the copies are not equal: %1 ≠ %2.</source>
        <translation>Jedes Replikat wendet dieselbe Summe auf seine Kopie an, aber die Kopien sind nicht gleich: %1 ≠ %2.</translation>
    </message>
    <message>
        <source>the coordinator</source>
        <translation>den Koordinator</translation>
    </message>
    <message>
        <source>parameter server %1</source>
        <translation>Parameterserver %1</translation>
    </message>
    <message>
        <source>Revive %1: all start again from the epoch&apos;s backup, of step %2</source>
        <translation>%1 wiederbeleben: Alle beginnen neu ab der Sicherung der Epoche, von Schritt %2</translation>
    </message>
    <message>
        <source>Revive %1: all start again from a backup every 10 steps, of step %2</source>
        <translation>%1 wiederbeleben: Alle beginnen neu ab der Sicherung von Schritt %2 (eine alle 10 Schritte)</translation>
    </message>
    <message>
        <source>Revive %1</source>
        <translation>%1 wiederbeleben</translation>
    </message>
    <message>
        <source>Kill %1</source>
        <translation>%1 töten</translation>
    </message>
    <message>
        <source>Cut %1 off, as if its machine were lost</source>
        <translation>%1 abschneiden, als ginge sein Rechner verloren</translation>
    </message>
    <message>
        <source>a dead task</source>
        <translation>eine tote Task</translation>
    </message>
    <message>
        <source>Parameter server %1 is dead, and its variables with it: training ends after %2 (modelled).</source>
        <translation>Parameterserver %1 ist tot und mit ihm seine Variablen: Das Training endet nach %2 (modelliert).</translation>
    </message>
    <message>
        <source>The coordinator is dead: nobody hands out closures any more, and training ends.</source>
        <translation>Der Koordinator ist tot: Niemand verteilt mehr Closures, und das Training endet.</translation>
    </message>
    <message>
        <source>The coordinator has noticed: worker %1&apos;s closure is back in the queue, and worker %2 takes one.</source>
        <translation>Der Koordinator hat es bemerkt: Die Closure von Worker %1 ist wieder in der Warteschlange, und Worker %2 nimmt eine.</translation>
    </message>
    <message>
        <source>dead, or waiting for a dead task</source>
        <translation>tot, oder Warten auf eine tote Task</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>Menüs</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Arbeitsbereiche</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Bühne</translation>
    </message>
    <message>
        <source>The experiment&apos;s link</source>
        <translation>Der Link zum Experiment</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source> (edited)</source>
        <translation> (geändert)</translation>
    </message>
    <message>
        <source> (fault)</source>
        <translation> (Ausfall)</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>ab Schritt %1</translation>
    </message>
    <message numerus="yes">
        <source>A step has %Ln images in total; a step of %1 is one worker&apos;s, with %2.</source>
        <translation>
            <numerusform>Ein Schritt hat insgesamt %Ln Bild; einer von %1 gehört einem Worker und hat %2.</numerusform>
            <numerusform>Ein Schritt hat insgesamt %Ln Bilder; einer von %1 gehört einem Worker und hat %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>Linear with the batch: %1</source>
        <translation>Linear mit dem Batch: %1</translation>
    </message>
    <message>
        <source>Root of the batch: %1</source>
        <translation>Wurzel des Batches: %1</translation>
    </message>
    <message>
        <source>Divided by the staleness: %1</source>
        <translation>Geteilt durch die Staleness: %1</translation>
    </message>
    <message>
        <source>Rate unchanged: %1</source>
        <translation>Rate unverändert: %1</translation>
    </message>
    <message>
        <source>%1 ÷ staleness</source>
        <translation>%1 ÷ Staleness</translation>
    </message>
    <message>
        <source>More workers mean staler gradients: a step starts from weights that others have changed meanwhile. A rate divided by the staleness compensates for that.</source>
        <translation>Mehr Worker heißt ältere Gradienten: Ein Schritt geht von Gewichten aus, die andere inzwischen geändert haben. Eine durch die Staleness geteilte Rate gleicht das aus.</translation>
    </message>
    <message>
        <source>From %1 to %2 workers accuracy goes from %3 to %4 at an unchanged rate</source>
        <translation>Von %1 auf %2 Worker geht die Genauigkeit bei unveränderter Rate von %3 auf %4</translation>
    </message>
    <message>
        <source>a gradient has missed %1 updates on average</source>
        <translation>ein Gradient hat im Mittel %1 Updates verpasst</translation>
    </message>
    <message>
        <source>Divided by the staleness, the rate gives %1.</source>
        <translation>Durch die Staleness geteilt, ergibt die Rate %1.</translation>
    </message>
    <message>
        <source>%1 on as many images, with no stale gradients: %2.</source>
        <translation>%1 auf ebenso vielen Bildern, ohne alte Gradienten: %2.</translation>
    </message>
    <message>
        <source>%1, with no stale gradients: %2.</source>
        <translation>%1, ohne alte Gradienten: %2.</translation>
    </message>
    <message>
        <source>Workers or replicas</source>
        <translation>Worker oder Replikate</translation>
    </message>
    <message>
        <source>divided by the staleness</source>
        <translation>durch die Staleness geteilt</translation>
    </message>
    <message>
        <source>Revive %1: there is no backup yet, so all start again from scratch</source>
        <translation>%1 wiederbeleben: Es gibt noch keine Sicherung, also beginnen alle ganz von vorn</translation>
    </message>
    <message>
        <source>“%1”</source>
        <comment>a name of the window, in a lesson&apos;s text</comment>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>not compared: the step was given up</source>
        <translation>nicht verglichen: Der Schritt wurde aufgegeben</translation>
    </message>
    <message>
        <source>aborted</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>The coordinator has noticed: worker %1&apos;s closure is back in the queue, for the next free worker.</source>
        <translation>Der Koordinator hat es bemerkt: Die Closure von Worker %1 ist wieder in der Warteschlange, für den nächsten freien Worker.</translation>
    </message>
    <message>
        <source>cut off in step %1, %2 ago (modelled)</source>
        <translation>abgeschnitten in Schritt %1, vor %2 (modelliert)</translation>
    </message>
    <message>
        <source>killed in step %1, %2 ago (modelled)</source>
        <translation>getötet in Schritt %1, vor %2 (modelliert)</translation>
    </message>
    <message>
        <source>given up after %1, modelled</source>
        <translation>aufgegeben nach %1, modelliert</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <comment>a transfer from one device to another</comment>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>The weights are the same.</source>
        <translation>Die Gewichte sind gleich.</translation>
    </message>
    <message>
        <source>The weights differed before this step already.</source>
        <translation>Die Gewichte unterschieden sich schon vor diesem Schritt.</translation>
    </message>
    <message>
        <source>%1 of replica %2 was changed by hand.</source>
        <translation>%1 von Replikat %2 wurde von Hand geändert.</translation>
    </message>
    <message>
        <source>The gradients of this lane come from other images than those of %1.</source>
        <translation>Die Gradienten dieser Bahn kommen von anderen Bildern als die von %1.</translation>
    </message>
    <message>
        <source>The transfer %1 brought older weights: others had updated them before its gradients came.</source>
        <translation>Die Übertragung %1 brachte ältere Gewichte: Andere haben sie aktualisiert, bevor die Gradienten des Workers kamen.</translation>
    </message>
    <message>
        <source>The difference begins with the transfer %1 in round %2: there the sum of %3 becomes %4, a value that %5 never has.</source>
        <translation>Der Unterschied beginnt mit der Übertragung %1 in Runde %2: Dort wird die Summe von %3 zu %4, einem Wert, den %5 nie hat.</translation>
    </message>
    <message>
        <source>The same gradients are added in another order: %1 is %2, not %3.</source>
        <translation>Dieselben Gradienten werden in anderer Reihenfolge addiert: %1 ist %2, nicht %3.</translation>
    </message>
    <message>
        <source>The sums of the gradients are the same, but the update differs: %1 is %2, not %3.</source>
        <translation>Die Summen der Gradienten sind gleich, aber das Update ist ein anderes: %1 ist %2, nicht %3.</translation>
    </message>
    <message>
        <source>WRONG on purpose (menu View): each replica&apos;s loss is divided by its own batch, and the sum is %1 times too large.</source>
        <translation>ABSICHTLICH FALSCH (Menü Ansicht): Der Verlust jedes Replikats ist durch seinen eigenen Batch geteilt, und die Summe ist %1-mal zu groß.</translation>
    </message>
    <message>
        <source>Training the parent once more: step %1 of %2</source>
        <translation>Der Elternlauf wird noch einmal trainiert: Schritt %1 von %2</translation>
    </message>
    <message>
        <source>The input pipeline: %1 images of %2, each of %3 bytes from 0 to 255.</source>
        <translation>Die Eingabe-Pipeline: %1 Bilder von %2, jedes aus %3 Bytes von 0 bis 255.</translation>
    </message>
    <message>
        <source>Synchronised BatchNormalization: the replicas add up their sums, so that all normalise by the whole batch.</source>
        <translation>Synchronisierte BatchNormalization: Die Replikate addieren ihre Summen, sodass alle mit dem ganzen Batch normieren.</translation>
    </message>
    <message>
        <source>BatchNormalization: each replica normalises by its own images, so the result is not that of one device.</source>
        <translation>BatchNormalization: Jedes Replikat normiert mit seinen eigenen Bildern, das Ergebnis ist also nicht das eines einzigen Geräts.</translation>
    </message>
    <message>
        <source>Kill %1, %2</source>
        <translation>%1 beenden, %2</translation>
    </message>
    <message>
        <source>process %1 on %2</source>
        <translation>Prozess %1 auf %2</translation>
    </message>
    <message>
        <source>There is no such process.</source>
        <translation>Es gibt keinen solchen Prozess.</translation>
    </message>
    <message>
        <source>The run has ended, and its processes with it.</source>
        <translation>Der Lauf ist zu Ende und seine Prozesse mit ihm.</translation>
    </message>
    <message>
        <source>It runs on another host: end process %1 on %2.</source>
        <translation>Er läuft auf einem anderen Host: Beenden Sie Prozess %1 auf %2.</translation>
    </message>
    <message>
        <source>Open MPI starts the processes</source>
        <translation>Open MPI startet die Prozesse</translation>
    </message>
    <message>
        <source>Parameter servers</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>The largest weight of replica %1: %2, number %3 of all</source>
        <translation>Das größte Gewicht von Replikat %1: %2, Nummer %3 von allen</translation>
    </message>
    <message>
        <source>The largest value of replica %1&apos;s gradient: %2, number %3 of all</source>
        <translation>Der größte Wert im Gradienten von Replikat %1: %2, Nummer %3 von allen</translation>
    </message>
    <message>
        <source>TF_CONFIG: chief 1, workers %1, servers %2</source>
        <translation>TF_CONFIG: 1 Chief, Worker: %1, Server: %2</translation>
    </message>
    <message>
        <source>The noise scale, another estimate, was not measured: it is a setting of the run.</source>
        <translation>Die Rauschskala, eine andere Schätzung, wurde nicht gemessen: Sie ist eine Einstellung des Laufs.</translation>
    </message>
    <message>
        <source>Noise scale at the end of the runs: about %1 (8 of 10 runs: %2 to %3). It is another estimate, from the gradients.</source>
        <translation>Rauschskala am Ende der Läufe: etwa %1 (8 von 10 Läufen: %2 bis %3). Sie ist eine andere Schätzung, aus den Gradienten.</translation>
    </message>
    <message>
        <source>QR code of the page</source>
        <translation>QR-Code der Seite</translation>
    </message>
    <message>
        <source>Address of this computer</source>
        <translation>Adresse dieses Rechners</translation>
    </message>
    <message>
        <source>This computer is in several networks: choose the one that the phones are in</source>
        <translation>Dieser Rechner ist in mehreren Netzen: Wählen Sie das, in dem die Telefone sind</translation>
    </message>
    <message>
        <source>The page cannot be served at %1: %2.</source>
        <translation>Unter %1 kann die Seite nicht gezeigt werden: %2.</translation>
    </message>
    <message>
        <source>The experiment for phones</source>
        <translation>Das Experiment für Telefone</translation>
    </message>
    <message>
        <source>This computer is in no network, so no phone can reach it. Join one and open this again, or pass the link on as text.</source>
        <translation>Dieser Rechner ist in keinem Netz, also erreicht ihn kein Telefon. Verbinden Sie ihn und öffnen Sie dies erneut, oder geben Sie den Link als Text weiter.</translation>
    </message>
    <message>
        <source>Cop&amp;y the link</source>
        <translation>Link &amp;kopieren</translation>
    </message>
    <message>
        <source>Copies the link as text, for File ▸ Paste experiment link</source>
        <translation>Kopiert den Link als Text, für Datei ▸ Link zum Experiment einfügen</translation>
    </message>
    <message>
        <source>Its settings</source>
        <translation>Seine Einstellungen</translation>
    </message>
    <message>
        <source>Open it in StrategyLab</source>
        <translation>In StrategyLab öffnen</translation>
    </message>
    <message>
        <source>open this file with File ▸ Open, on a computer that has the program.</source>
        <translation>Öffnen Sie diese Datei mit Datei ▸ Öffnen auf einem Rechner, der das Programm hat.</translation>
    </message>
    <message>
        <source>Or copy this line, and choose File ▸ Paste experiment link there:</source>
        <translation>Oder kopieren Sie diese Zeile und wählen Sie dort Datei ▸ Link zum Experiment einfügen:</translation>
    </message>
    <message>
        <source>An experiment of StrategyLab, which trains a network under a strategy of TensorFlow&apos;s tf.distribute and shows what happens on the way. This is what its window shows now.</source>
        <translation>Ein Experiment von StrategyLab. Das Programm trainiert ein Netz unter einer Strategie von TensorFlows tf.distribute und zeigt, was dabei geschieht. Dies zeigt sein Fenster jetzt.</translation>
    </message>
    <message>
        <source>Address of the page</source>
        <translation>Adresse der Seite</translation>
    </message>
    <message>
        <source>While this is open, this computer serves the page to everybody in its network who has the code: the experiment&apos;s picture, settings and file.</source>
        <translation>Solange dies offen ist, zeigt dieser Rechner die Seite allen in seinem Netz, die den Code haben: Bild, Einstellungen und Datei des Experiments.</translation>
    </message>
    <message>
        <source>%1. Play shows what follows, Undo takes it back.</source>
        <translation>%1. Abspielen zeigt, was folgt, Rückgängig nimmt es zurück.</translation>
    </message>
    <message>
        <source>%1: off</source>
        <translation>%1: aus</translation>
    </message>
    <message>
        <source>%1: on</source>
        <translation>%1: an</translation>
    </message>
    <message>
        <source>Critical batch about %1, provisional (%2)</source>
        <translation>Kritischer Batch etwa %1, vorläufig (%2)</translation>
    </message>
    <message>
        <source>critical batch, provisional</source>
        <translation>kritischer Batch, vorläufig</translation>
    </message>
    <message>
        <source>not run: time was up</source>
        <translation>nicht gelaufen: die Zeit war um</translation>
    </message>
    <message>
        <source>T</source>
        <comment>mark of a cell: not run, time was up</comment>
        <translation>Z</translation>
    </message>
    <message>
        <source>Images/s over replicas, modelled, steady</source>
        <translation>Bilder/s über den Replikaten, modelliert, stationär</translation>
    </message>
    <message>
        <source>Images/s over replicas, measured, mean of the run</source>
        <translation>Bilder/s über den Replikaten, gemessen, Mittel des Laufs</translation>
    </message>
    <message>
        <source>Images/s, modelled, steady</source>
        <translation>Bilder/s, modelliert, stationär</translation>
    </message>
    <message>
        <source>Images/s, measured, mean of the run</source>
        <translation>Bilder/s, gemessen, Mittel des Laufs</translation>
    </message>
    <message>
        <source>Twice as many images.</source>
        <translation>Doppelt so viele Bilder.</translation>
    </message>
    <message>
        <source>%1 times as many images.</source>
        <translation>%1-mal so viele Bilder.</translation>
    </message>
    <message>
        <source>Half as many images.</source>
        <translation>Halb so viele Bilder.</translation>
    </message>
    <message>
        <source>A third as many images.</source>
        <translation>Ein Drittel der Bilder.</translation>
    </message>
    <message>
        <source>A quarter as many images.</source>
        <translation>Ein Viertel der Bilder.</translation>
    </message>
    <message>
        <source>%1/%2 as many images.</source>
        <comment>a fraction</comment>
        <translation>%1/%2 der Bilder.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln links, alike</source>
        <translation>
            <numerusform>%Ln Link</numerusform>
            <numerusform>%Ln Links, gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas, alike</source>
        <translation>
            <numerusform>%Ln Replikat</numerusform>
            <numerusform>%Ln Replikate, gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers, alike</source>
        <translation>
            <numerusform>%Ln Worker</numerusform>
            <numerusform>%Ln Worker, gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln parameter servers, alike</source>
        <translation>
            <numerusform>%Ln Parameterserver</numerusform>
            <numerusform>%Ln Parameterserver, gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, alike</source>
        <translation>
            <numerusform>%Ln Gerät</numerusform>
            <numerusform>%Ln Geräte, gleich</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 alike</source>
        <translation>%1 gleich</translation>
    </message>
    <message numerus="yes">
        <source>%Ln links, at start-up only</source>
        <translation>
            <numerusform>%Ln Link, nur beim Start</numerusform>
            <numerusform>%Ln Links, nur beim Start</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 at start-up</source>
        <translation>%1 beim Start</translation>
    </message>
    <message>
        <source>High contrast: all contrasts 7:1 or more. Projector: larger type, fewer panels; F11 does that for a while</source>
        <translation>Hoher Kontrast: alle Kontraste mindestens 7:1. Beamer: größere Schrift, weniger Bereiche; F11 macht das vorübergehend</translation>
    </message>
    <message>
        <source>This step, modelled</source>
        <translation>Dieser Schritt, modelliert</translation>
    </message>
    <message>
        <source>This step, measured here</source>
        <translation>Dieser Schritt, hier gemessen</translation>
    </message>
    <message>
        <source>Images/s, steady</source>
        <translation>Bilder/s, stationär</translation>
    </message>
    <message>
        <source>The step that the lane shows. All other figures are for this step, except the steady rate.</source>
        <translation>Der Schritt, den die Bahn zeigt. Alle anderen Angaben gelten für diesen Schritt, außer der stationären Rate.</translation>
    </message>
    <message>
        <source>Steady: for full batches, after the start, as the model gives it for the lane&apos;s settings; for asynchronous workers, all together. For real devices, the measured mean of the last 50 steps.</source>
        <translation>Stationär: für volle Batches, nach dem Anlauf, wie das Modell es für die Einstellungen der Bahn angibt; bei asynchronen Workern für alle zusammen. Bei echten Geräten das gemessene Mittel der letzten 50 Schritte.</translation>
    </message>
    <message numerus="yes">
        <source>mean of %Ln steps</source>
        <translation>
            <numerusform>Mittel von %Ln Schritt</numerusform>
            <numerusform>Mittel von %Ln Schritten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a rate, what it is of</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>stationär</translation>
    </message>
    <message>
        <source>mean of the run</source>
        <translation>Mittel des Laufs</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>Dieser Schritt</translation>
    </message>
    <message>
        <source>This cycle of a worker</source>
        <translation>Dieser Zyklus eines Workers</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>%1 von %2 Bildern</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a time, of how many images</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 images/s modelled, steady, all workers</source>
        <translation>%1 Bilder/s modelliert, stationär, alle Worker</translation>
    </message>
    <message>
        <source>%1 images/s modelled, steady</source>
        <translation>%1 Bilder/s modelliert, stationär</translation>
    </message>
    <message>
        <source>%1 images/s measured, %2</source>
        <comment>a rate, what it is of</comment>
        <translation>%1 Bilder/s gemessen, %2</translation>
    </message>
    <message>
        <source>%1 images/s modelled, %2</source>
        <comment>a rate, what it is of</comment>
        <translation>%1 Bilder/s modelliert, %2</translation>
    </message>
    <message>
        <source>%1 this step, measured</source>
        <translation>%1 dieser Schritt, gemessen</translation>
    </message>
    <message>
        <source>%1 this cycle of one worker, modelled</source>
        <translation>%1 dieser Zyklus eines Workers, modelliert</translation>
    </message>
    <message>
        <source>%1 this step, modelled</source>
        <translation>%1 dieser Schritt, modelliert</translation>
    </message>
    <message numerus="yes">
        <source>A step is one worker&apos;s: %Ln images.</source>
        <translation>
            <numerusform>Ein Schritt gehört einem Worker: %Ln Bild.</numerusform>
            <numerusform>Ein Schritt gehört einem Worker: %Ln Bilder.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>A step has %Ln images in total.</source>
        <translation>
            <numerusform>Ein Schritt hat insgesamt %Ln Bild.</numerusform>
            <numerusform>Ein Schritt hat insgesamt %Ln Bilder.</numerusform>
        </translation>
    </message>
    <message>
        <source>Matrix products in bfloat16.</source>
        <translation>Matrixprodukte in bfloat16.</translation>
    </message>
    <message>
        <source>One replica.</source>
        <translation>Ein Replikat.</translation>
    </message>
    <message>
        <source>On other devices.</source>
        <translation>Auf anderen Geräten.</translation>
    </message>
    <message>
        <source>Other images in each step.</source>
        <translation>Andere Bilder in jedem Schritt.</translation>
    </message>
    <message>
        <source>Other settings.</source>
        <translation>Andere Einstellungen.</translation>
    </message>
    <message>
        <source>Time measured beside others.</source>
        <translation>Zeit neben anderen gemessen.</translation>
    </message>
    <message>
        <source>Not every setting applies.</source>
        <translation>Nicht jede Einstellung gilt hier.</translation>
    </message>
    <message>
        <source>Worker %1 dies in the middle of its closure: what it has computed is lost. The coordinator notices %2 later (modelled); the others go on.</source>
        <translation>Worker %1 stirbt mitten in seiner Closure: Was er berechnet hat, ist verloren. Der Koordinator merkt es %2 später (modelliert); die anderen machen weiter.</translation>
    </message>
    <message>
        <source>reached the target</source>
        <translation>am Ziel</translation>
    </message>
    <message>
        <source>%1: %2. %3: %4.</source>
        <translation>%1: %2. %3: %4.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln seeds</source>
        <translation>
            <numerusform>%Ln Seed</numerusform>
            <numerusform>%Ln Seeds</numerusform>
        </translation>
    </message>
    <message>
        <source>target %1</source>
        <translation>Ziel %1</translation>
    </message>
    <message>
        <source>One update of the only copy: %1 has become %2.</source>
        <translation>Ein Update der einzigen Kopie: %1 ist zu %2 geworden.</translation>
    </message>
    <message>
        <source>The optimizer has updated the weights: %1 has become %2.</source>
        <translation>Der Optimierer hat die Gewichte aktualisiert: %1 ist zu %2 geworden.</translation>
    </message>
    <message>
        <source>Too late, so left out: %1. The sum has %2 of %3 gradients.</source>
        <translation>Zu spät und deshalb ausgelassen: %1. Die Summe enthält %2 von %3 Gradienten.</translation>
    </message>
    <message>
        <source>= yes</source>
        <comment>copies identical</comment>
        <translation>= ja</translation>
    </message>
    <message>
        <source>Both copies are now %1; they were compared bit by bit: identical.</source>
        <translation>Beide Kopien sind jetzt %1; sie wurden Bit für Bit verglichen: identisch.</translation>
    </message>
    <message>
        <source>‖w − b‖ / ‖b‖, where b are the weights of the baseline lane, at the last point that both have reached.</source>
        <translation>‖w − b‖ / ‖b‖, b: die Gewichte der Bezugsbahn, an der letzten Stelle, die beide erreicht haben.</translation>
    </message>
    <message>
        <source>tf.data&apos;s newer rule, for examples in files: the global batch of %1 is cut into %2 parts as equal as possible; %3 gets %4 here.%5</source>
        <translation>Die neuere Regel von tf.data, für Beispiele in Dateien: Der globale Batch von %1 wird in %2 möglichst gleiche Teile geschnitten; %3 bekommt hier %4.%5</translation>
    </message>
    <message>
        <source>tf.data&apos;s older rule, sharded by data: every host cuts the same batch of %1 into %2 shares of %3, and the %4 hosts take them in turn. So the shares of a host are not neighbours.</source>
        <translation>Die ältere Regel von tf.data, nach Daten verteilt: Jeder Host teilt denselben Batch von %1 in %2 Anteile von %3, und die %4 Hosts nehmen sie reihum. Darum sind die Anteile eines Hosts keine Nachbarn.</translation>
    </message>
    <message>
        <source>tf.data&apos;s older rule, for examples in memory: neighbouring shares of ⌈%1 ÷ %2⌉ = %3. %4 has images %5 to %6 of the batch.</source>
        <translation>Die ältere Regel von tf.data, für Beispiele im Speicher: benachbarte Anteile von ⌈%1 ÷ %2⌉ = %3. %4 hat die Bilder %5 bis %6 des Batches.</translation>
    </message>
    <message>
        <source>Both copies should now be %1. Are they? They are compared bit by bit.</source>
        <translation>Beide Kopien müssten jetzt %1 sein. Sind sie es? Sie werden Bit für Bit verglichen.</translation>
    </message>
    <message>
        <source>All %1 copies should now be %2. Are they? They are compared bit by bit.</source>
        <translation>Alle %1 Kopien müssten jetzt %2 sein. Sind sie es? Sie werden Bit für Bit verglichen.</translation>
    </message>
    <message>
        <source>Link of the class: %1</source>
        <translation>Link der Klasse: %1</translation>
    </message>
    <message>
        <source>%1 images/s, the class</source>
        <translation>%1 Bilder/s, die Klasse</translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln Worker</numerusform>
            <numerusform>%Ln Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln updates</source>
        <translation>
            <numerusform>%Ln Update</numerusform>
            <numerusform>%Ln Updates</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 Mbit/s</source>
        <translation>%1 Mbit/s</translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers joined</source>
        <translation>
            <numerusform>%Ln Worker ist beigetreten</numerusform>
            <numerusform>%Ln Worker sind beigetreten</numerusform>
        </translation>
    </message>
    <message>
        <source>Worker %1</source>
        <translation>Worker %1</translation>
    </message>
    <message>
        <source>%1 is next to finish.</source>
        <translation>%1 wird als Nächster fertig.</translation>
    </message>
    <message>
        <source>%1&apos;s gradients are applied: the servers&apos; copy is now %2.</source>
        <translation>Die Gradienten von %1 sind angewandt: Die Kopie der Server ist jetzt %2.</translation>
    </message>
    <message>
        <source>%1&apos;s gradients are applied: the server has %2.</source>
        <translation>Die Gradienten von %1 sind angewandt: Der Server hat %2.</translation>
    </message>
    <message>
        <source>The server has the new variables, %1: every worker gets them with its next images.</source>
        <translation>Der Server hat die neuen Variablen, %1: Jeder Worker holt sie mit seinen nächsten Bildern.</translation>
    </message>
    <message>
        <source>Its numbers</source>
        <translation>Seine Zahlen</translation>
    </message>
    <message>
        <source>from this computer&apos;s instruction set, not the worker&apos;s</source>
        <translation>vom Befehlssatz dieses Rechners, nicht von dem des Workers</translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers take part in this step, each with images of its own: %1 in total.</source>
        <translation>
            <numerusform>%Ln Worker nimmt an diesem Schritt teil, mit eigenen Bildern: insgesamt %1.</numerusform>
            <numerusform>%Ln Worker nehmen an diesem Schritt teil, jeder mit eigenen Bildern: insgesamt %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>Every worker pushes its gradient. The server adds them in the order of their numbers.</source>
        <translation>Jeder Worker schickt seinen Gradienten. Der Server addiert sie in der Reihenfolge ihrer Nummern.</translation>
    </message>
    <message>
        <source>The server has applied the sum: %1 has become %2.</source>
        <translation>Der Server hat die Summe angewandt: Aus %1 ist %2 geworden.</translation>
    </message>
    <message>
        <source>The server applies the sum: %1 becomes %2.</source>
        <translation>Der Server wendet die Summe an: Aus %1 wird %2.</translation>
    </message>
    <message>
        <source>Computed on this computer&apos;s instruction set, which is not the worker&apos;s: the numbers shown may differ from its own in their last bits.</source>
        <translation>Berechnet mit dem Befehlssatz dieses Rechners, nicht mit dem des Workers: Die gezeigten Zahlen können in den letzten Bits von dessen eigenen abweichen.</translation>
    </message>
    <message>
        <source>no part in this step</source>
        <translation>nicht an diesem Schritt beteiligt</translation>
    </message>
    <message>
        <source>has left</source>
        <translation>ist gegangen</translation>
    </message>
    <message>
        <source>joins after this step</source>
        <translation>kommt nach diesem Schritt dazu</translation>
    </message>
    <message>
        <source>trained by a class</source>
        <translation>von einer Klasse trainiert</translation>
    </message>
    <message>
        <source>%1, a class</source>
        <translation>%1, eine Klasse</translation>
    </message>
    <message>
        <source>The same settings, simulated</source>
        <translation>Dieselben Einstellungen, simuliert</translation>
    </message>
    <message>
        <source>Show its &amp;steps on the stage</source>
        <translation>Seine &amp;Schritte auf der Bühne zeigen</translation>
    </message>
    <message>
        <source>Shows the steps of this class in a lane beside the run on the stage</source>
        <translation>Zeigt die Schritte dieser Klasse in einer Bahn neben dem Lauf auf der Bühne</translation>
    </message>
    <message>
        <source>Its times are those of the lesson.</source>
        <translation>Die Zeiten sind die der Stunde.</translation>
    </message>
    <message>
        <source>Times of the lesson.</source>
        <translation>Zeiten der Stunde.</translation>
    </message>
    <message>
        <source>gather</source>
        <translation>Sammeln</translation>
    </message>
    <message>
        <source>Reduce-scatter: each adds up one half, and keeps it. None has both halves of the sum.</source>
        <translation>Reduce-Scatter: Jedes summiert eine Hälfte und behält sie. Keines hat beide Hälften der Summe.</translation>
    </message>
    <message>
        <source>Reduce-scatter, around the ring: after %1 hops each replica has the sum of its own part, 1/%2 of the gradient.</source>
        <translation>Reduce-Scatter, im Ring: Nach %1 Etappen hat jedes Replikat die Summe seines eigenen Teils, 1/%2 des Gradienten.</translation>
    </message>
    <message>
        <source>All-gather: each replica&apos;s new part goes around the ring. At the end all have all of %1.</source>
        <translation>All-Gather: Der neue Teil jedes Replikats geht im Ring herum. Am Ende haben alle ganz %1.</translation>
    </message>
    <message>
        <source>All-gather, again: nobody kept the others&apos; parts of %1 after the forward pass.</source>
        <translation>All-Gather, noch einmal: Nach dem Vorwärtsdurchlauf hat keines die Teile der anderen von %1 behalten.</translation>
    </message>
    <message>
        <source>Every replica has updated its own part, 1/%1 of the weights, from %2 to %3.</source>
        <translation>Jedes Replikat hat seinen eigenen Teil, 1/%1 der Gewichte, von %2 auf %3 aktualisiert.</translation>
    </message>
    <message>
        <source>Every replica updates its own part, 1/%1 of the weights: only there it has the sum and the optimizer&apos;s slots. %2 becomes %3.</source>
        <translation>Jedes Replikat aktualisiert seinen eigenen Teil, 1/%1 der Gewichte: Nur dort hat es die Summe und die Optimierer-Slots. Aus %2 wird %3.</translation>
    </message>
    <message>
        <source>No copies to compare: each of the %1 parts of %2 is on only one replica.</source>
        <translation>Keine Kopien zu vergleichen: Jeder der %1 Teile von %2 liegt nur auf einem Replikat.</translation>
    </message>
    <message>
        <source>reduce-scatter and all-gather: %1</source>
        <translation>Reduce-Scatter und All-Gather: %1</translation>
    </message>
    <message>
        <source>This replica keeps 1/%1 of the weights, which it alone updates. The others&apos; parts come before each pass and are freed after it.</source>
        <translation>Dieses Replikat hält 1/%1 der Gewichte, das nur es aktualisiert. Die Teile der anderen kommen vor jedem Durchlauf und werden danach freigegeben.</translation>
    </message>
    <message>
        <source>Every replica has all weights. It updates only its own part of them, 1/%1, and gets the other parts from the replicas that update those.</source>
        <translation>Jedes Replikat hat alle Gewichte. Es aktualisiert nur seinen eigenen Teil, 1/%1, und bekommt die anderen Teile neu von denen, die sie aktualisieren.</translation>
    </message>
    <message>
        <source>A mirrored variable: every replica has its own copy and applies the same update to it.</source>
        <translation>Eine gespiegelte Variable: Jedes Replikat hat eine eigene Kopie und wendet dasselbe Update darauf an.</translation>
    </message>
    <message>
        <source>stopped early: others were better</source>
        <translation>vorzeitig gestoppt: andere waren besser</translation>
    </message>
    <message>
        <source>S</source>
        <comment>mark of a cell: stopped early</comment>
        <translation>S</translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps a test accuracy of %1</source>
        <translation>
            <numerusform>nach %Ln Schritt eine Testgenauigkeit von %1</numerusform>
            <numerusform>nach %Ln Schritten eine Testgenauigkeit von %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>after %Ln steps</source>
        <translation>
            <numerusform>nach %Ln Schritt</numerusform>
            <numerusform>nach %Ln Schritten</numerusform>
        </translation>
    </message>
    <message>
        <source>Test loss at the end</source>
        <translation>Testverlust am Ende</translation>
    </message>
    <message>
        <source>Time of the run, modelled</source>
        <translation>Zeit des Laufs, modelliert</translation>
    </message>
    <message>
        <source>Time of the run, measured</source>
        <translation>Zeit des Laufs, gemessen</translation>
    </message>
    <message>
        <source>%1: %2 to %3</source>
        <translation>%1: %2 bis %3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Lauf</numerusform>
            <numerusform>%Ln Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>no run in the ranges</source>
        <translation>kein Lauf in den Bereichen</translation>
    </message>
    <message>
        <source>one, shared by all replicas</source>
        <translation>eine, die alle Replikate teilen</translation>
    </message>
    <message>
        <source>The optimizer updates the one copy that this program keeps for all %1 replicas: %2 becomes %3.</source>
        <translation>Der Optimierer aktualisiert die eine Kopie, die dieses Programm für alle %1 Replikate hält: Aus %2 wird %3.</translation>
    </message>
    <message>
        <source>This program keeps one copy, %1, for all %2 replicas: equal copies would only take memory. There is nothing to compare.</source>
        <translation>Dieses Programm hält eine Kopie, %1, für alle %2 Replikate: Gleiche Kopien würden nur Speicher belegen. Es gibt nichts zu vergleichen.</translation>
    </message>
    <message numerus="yes">
        <source>The test step counts how many of %Ln test images are recognised.</source>
        <translation>
            <numerusform>Der Testschritt zählt, ob %Ln Testbild erkannt wird.</numerusform>
            <numerusform>Der Testschritt zählt, wie viele von %Ln Testbildern erkannt werden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The test step: %Ln test images are shared by the workers; the counts of right answers are added.</source>
        <translation>
            <numerusform>Der Testschritt: %Ln Testbild geht an einen Worker; die Zahlen richtiger Antworten werden addiert.</numerusform>
            <numerusform>Der Testschritt: %Ln Testbilder werden unter den Workern geteilt; die Zahlen richtiger Antworten werden addiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The test step: %Ln test images are distributed, each replica counts its right answers, reduce(SUM) adds.</source>
        <translation>
            <numerusform>Der Testschritt: %Ln Testbild wird verteilt, jedes Replikat zählt seine richtigen Antworten, reduce(SUM) addiert.</numerusform>
            <numerusform>Der Testschritt: %Ln Testbilder werden verteilt, jedes Replikat zählt seine richtigen Antworten, reduce(SUM) addiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln images over %1 replicas: %2.</source>
        <translation>
            <numerusform>%Ln Bild auf %1 Replikate: %2.</numerusform>
            <numerusform>%Ln Bilder auf %1 Replikate: %2.</numerusform>
        </translation>
    </message>
    <message>
        <source>distance of this copy to the servers&apos;</source>
        <translation>Abstand dieser Kopie zu der der Server</translation>
    </message>
    <message>
        <source>Not the same images in each step.</source>
        <translation>Nicht dieselben Bilder in jedem Schritt.</translation>
    </message>
    <message numerus="yes">
        <source>No global batch: a step belongs to one worker and has %Ln images.</source>
        <translation>
            <numerusform>Kein globaler Batch: Ein Schritt gehört einem Worker und hat %Ln Bild.</numerusform>
            <numerusform>Kein globaler Batch: Ein Schritt gehört einem Worker und hat %Ln Bilder.</numerusform>
        </translation>
    </message>
    <message>
        <source>The two lanes compute a step in different ways, but here those give the same weights.</source>
        <translation>Die beiden Bahnen rechnen einen Schritt auf verschiedene Weise, die hier aber dieselben Gewichte ergibt.</translation>
    </message>
    <message>
        <source>The two lanes compute a step in different ways: even without rounding, the weights would differ.</source>
        <translation>Die beiden Bahnen rechnen einen Schritt auf verschiedene Weise: Auch ohne Rundung wären ihre Gewichte verschieden.</translation>
    </message>
    <message>
        <source>in parts, one on each replica</source>
        <comment>the copies of the variables</comment>
        <translation>in Teilen, auf jedem Replikat einer</translation>
    </message>
    <message>
        <source>not compared</source>
        <comment>copies of the variables</comment>
        <translation>nicht verglichen</translation>
    </message>
    <message numerus="yes">
        <source> on real devices of %Ln computers</source>
        <translation>
            <numerusform> auf echten Geräten von %Ln Rechner</numerusform>
            <numerusform> auf echten Geräten von %Ln Rechnern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 computed its gradients with weights that others have updated since.</source>
        <translation>%1 hat seine Gradienten mit Gewichten berechnet, die andere seither aktualisiert haben.</translation>
    </message>
    <message>
        <source>Sharding is off: every host reads all the data in the same order, and cuts it into shares for %1 replicas by tf.data&apos;s newer rule; %2 gets %3 here. Other hosts&apos; replicas get the same images again.</source>
        <translation>Sharding ist aus: Jeder Host liest alle Daten in derselben Reihenfolge und schneidet sie nach der neueren Regel von tf.data in Anteile für %1 Replikate; %2 bekommt hier %3. Replikate anderer Hosts bekommen dieselben Bilder noch einmal.</translation>
    </message>
    <message>
        <source>That is the step&apos;s loss, the mean over the images that count.</source>
        <translation>Das ist der Verlust des Schritts, der Mittelwert über die Bilder, die zählen.</translation>
    </message>
    <message>
        <source>The shares are unequal; the mean over the images that count, as reported, is %1.</source>
        <translation>Die Anteile sind ungleich; der Mittelwert über die Bilder, die zählen, wie er berichtet wird, ist %1.</translation>
    </message>
    <message>
        <source>WRONG on purpose (menu View): each replica&apos;s loss is divided by its own batch, and the sum is too large.</source>
        <translation>ABSICHTLICH FALSCH (Menü Ansicht): Der Verlust jedes Replikats ist durch seinen eigenen Batch geteilt, und die Summe ist zu groß.</translation>
    </message>
    <message>
        <source>Here it is about losses and metrics. About gradients TensorFlow logs once “Collective all_reduce tensors: %1 all_reduces, …”, with the ring or NCCL.</source>
        <translation>Hier betrifft sie Verluste und Metriken. Zu Gradienten protokolliert TensorFlow einmal „Collective all_reduce tensors: %1 all_reduces, …“, mit dem Ring oder NCCL.</translation>
    </message>
    <message numerus="yes">
        <source>The same %Ln images go to each of the %1 hosts, because sharding is off.</source>
        <translation>
            <numerusform>Dasselbe %Ln Bild geht an jeden der %1 Hosts, denn Sharding ist aus.</numerusform>
            <numerusform>Dieselben %Ln Bilder gehen an jeden der %1 Hosts, denn Sharding ist aus.</numerusform>
        </translation>
    </message>
    <message>
        <source>Sharding is off: the hosts read the same images.</source>
        <translation>Sharding ist aus: Die Hosts lesen dieselben Bilder.</translation>
    </message>
    <message>
        <source>All-reduce: MPI adds the gradients between the processes.</source>
        <translation>All-Reduce: MPI addiert die Gradienten zwischen den Prozessen.</translation>
    </message>
    <message>
        <source>All-reduce by halving and doubling: the two swap halves to add them, and then the sums.</source>
        <translation>All-Reduce durch Halbieren und Verdoppeln: Die beiden tauschen Hälften, um sie zu addieren, und dann die Summen.</translation>
    </message>
    <message>
        <source>All-reduce by halving and doubling: R2 sends all to R0; R0 and R1 swap halves, and back.</source>
        <translation>All-Reduce durch Halbieren und Verdoppeln: R2 schickt alles an R0; R0 und R1 tauschen Hälften, und zurück.</translation>
    </message>
    <message>
        <source>Forward: one copy has a weight that was changed by hand; each replica computes its own loss.</source>
        <translation>Vorwärts: Eine Kopie hat ein von Hand geändertes Gewicht; jedes Replikat berechnet seinen eigenen Verlust.</translation>
    </message>
    <message>
        <source>The link was busy for %1 % of the time, and %2 spent %3 % of its cycle waiting for it: more workers no longer help.</source>
        <translation>Der Link war %1 % der Zeit belegt, und %2 wartete %3 % seines Zyklus darauf: Mehr Worker helfen nicht mehr.</translation>
    </message>
    <message>
        <source>each divided by its own batch. The gradients would be too large as well.</source>
        <translation>Jedes hat durch seinen eigenen Batch geteilt. Auch die Gradienten wären zu groß.</translation>
    </message>
    <message>
        <source>× %1: each divided by its own batch. The gradients would be %1 times too large as well.</source>
        <translation>× %1: Jedes hat durch seinen eigenen Batch geteilt. Auch die Gradienten wären %1-mal zu groß.</translation>
    </message>
    <message>
        <source>the step&apos;s loss: the mean over the %1 images that count</source>
        <translation>der Verlust des Schritts: der Mittelwert über die %1 Bilder, die zählen</translation>
    </message>
    <message>
        <source>the step&apos;s loss: the mean over all %1 images</source>
        <translation>der Verlust des Schritts: der Mittelwert über alle %1 Bilder</translation>
    </message>
    <message>
        <source>each image counts 1/%1; the mean over the %2 images, as reported: %3</source>
        <translation>jedes Bild zählt 1/%1; der Mittelwert über die %2 Bilder, wie berichtet: %3</translation>
    </message>
    <message>
        <source>the mean of the replicas&apos; means; over the %1 images that count, as reported: %2</source>
        <translation>der Mittelwert der Mittelwerte der Replikate; über die %1 Bilder, die zählen, wie berichtet: %2</translation>
    </message>
    <message>
        <source>the mean of the replicas&apos; means; over all %1 images, as reported: %2</source>
        <translation>der Mittelwert der Mittelwerte der Replikate; über alle %1 Bilder, wie berichtet: %2</translation>
    </message>
    <message>
        <source> Sent in the whole step: %1.</source>
        <translation> Im ganzen Schritt gesendet: %1.</translation>
    </message>
    <message>
        <source>The gradient of %1 differs, although weights and images are equal: %2 is %3, not %4.</source>
        <translation>Der Gradient von %1 ist ein anderer, trotz gleicher Gewichte und Bilder: %2 ist %3, nicht %4.</translation>
    </message>
    <message>
        <source>WRONG on purpose (menu View): each replica&apos;s loss is divided by its own batch. With one replica in the sum, that is no difference.</source>
        <translation>ABSICHTLICH FALSCH (Menü Ansicht): Der Verlust jedes Replikats ist durch seinen eigenen Batch geteilt. Mit nur einem Replikat in der Summe ist das kein Unterschied.</translation>
    </message>
    <message>
        <source>divided by its own batch. With one replica in the sum, that is no difference.</source>
        <translation>durch seinen eigenen Batch geteilt. Mit nur einem Replikat in der Summe ist das kein Unterschied.</translation>
    </message>
    <message>
        <source>The loss of the only replica that counts: the mean over its own images.</source>
        <translation>Der Verlust des einzigen Replikats, das zählt: der Mittelwert über seine eigenen Bilder.</translation>
    </message>
    <message>
        <source>All replicas are still computing; the gradients of their last layers are on their way already.</source>
        <translation>Alle Replikate rechnen noch; die Gradienten ihrer letzten Schichten sind schon unterwegs.</translation>
    </message>
    <message>
        <source>Still computing: %1 of %2 workers. Gradients are on their way to the server already.</source>
        <translation>Noch am Rechnen: %1 von %2 Workern. Gradienten sind schon zum Server unterwegs.</translation>
    </message>
    <message>
        <source>Still computing: %1 of %2 replicas. Gradients are being sent already.</source>
        <translation>Noch am Rechnen: %1 von %2 Replikaten. Gradienten werden schon geschickt.</translation>
    </message>
    <message>
        <source>Still computing: %1 of %2 replicas. Adding has begun already.</source>
        <translation>Noch am Rechnen: %1 von %2 Replikaten. Addiert wird schon.</translation>
    </message>
    <message>
        <source>Backward already, last layer first: %1 of %2 replicas (loss: %3). Still forward: %4.</source>
        <translation>Schon rückwärts, die letzte Schicht zuerst: %1 von %2 Replikaten (Verlust: %3). Noch vorwärts: %4.</translation>
    </message>
    <message>
        <source>Every replica applies the same sum to its own copy: %3 so far on %1 of %2.</source>
        <translation>Jedes Replikat wendet dieselbe Summe auf seine Kopie an: %3 bisher auf %1 von %2.</translation>
    </message>
    <message>
        <source>Worker 0, the chief, is dead: the all-reduce waits %1 (modelled), then training stops. It wrote the backups: they must be where its successor can read them.</source>
        <translation>Worker 0, der Chief, ist tot: Das All-Reduce wartet %1 lang (modelliert), dann hält das Training an. Er schrieb die Sicherungen: Sie müssen dort liegen, wo sein Nachfolger sie lesen kann.</translation>
    </message>
    <message>
        <source>Worker %1 is dead: the all-reduce waits %2 (modelled), then training stops.</source>
        <translation>Worker %1 ist tot: Das All-Reduce wartet %2 lang (modelliert), dann hält das Training an.</translation>
    </message>
    <message>
        <source>Worker %1 is dead: its part of the sum never comes. The all-reduce waits %2 (modelled), then training stops.</source>
        <translation>Worker %1 ist tot: Sein Teil der Summe kommt nie. Das All-Reduce wartet %2 lang (modelliert), dann hält das Training an.</translation>
    </message>
    <message>
        <source>Images/s over replicas, partly modelled</source>
        <translation>Bilder/s über den Replikaten, teils modelliert</translation>
    </message>
    <message>
        <source>Time to the target over replicas, partly modelled</source>
        <translation>Zeit zum Ziel über den Replikaten, teils modelliert</translation>
    </message>
    <message>
        <source>Time to the target, partly modelled</source>
        <translation>Zeit zum Ziel, teils modelliert</translation>
    </message>
    <message>
        <source>Images/s, partly modelled</source>
        <translation>Bilder/s, teils modelliert</translation>
    </message>
    <message>
        <source>Time of the run, partly modelled</source>
        <translation>Zeit des Laufs, teils modelliert</translation>
    </message>
    <message>
        <source>the constructor waits for nobody: one worker</source>
        <translation>der Konstruktor wartet auf niemanden: ein Worker</translation>
    </message>
    <message>
        <source>The cluster has one worker, so the strategy&apos;s constructor waits for nobody.</source>
        <translation>Der Cluster hat einen Worker, also wartet der Konstruktor der Strategie auf niemanden.</translation>
    </message>
    <message>
        <source>TensorFlow has no such strategy, so it logs nothing about it.</source>
        <translation>TensorFlow hat keine solche Strategie, also steht darüber nichts in seinem Protokoll.</translation>
    </message>
    <message>
        <source>Here it does not appear: losses and metrics are summed by collectives, as gradients are.</source>
        <translation>Hier kommt sie nicht vor: Verluste und Metriken werden wie die Gradienten durch kollektive Operationen summiert.</translation>
    </message>
    <message>
        <source>The few bytes of this sum are not in the step&apos;s time.</source>
        <translation>Die wenigen Bytes dieser Summe sind nicht in der Zeit des Schritts.</translation>
    </message>
    <message>
        <source>variables are created, 1/%1 on each device</source>
        <translation>Variablen werden angelegt, 1/%1 auf jedem Gerät</translation>
    </message>
    <message>
        <source>Variables are created; then each device keeps only its own part of them, 1/%1.</source>
        <translation>Variablen werden angelegt; dann behält jedes Gerät nur seinen eigenen Teil davon, 1/%1.</translation>
    </message>
    <message>
        <source>the strategy: %1, %2 hosts</source>
        <translation>die Strategie: %1, %2 Hosts</translation>
    </message>
    <message>
        <source>TensorFlow has no such strategy: StrategyLab carries it out on %1 hosts, without a TF_CONFIG.</source>
        <translation>TensorFlow hat keine solche Strategie: StrategyLab führt sie auf %1 Hosts aus, ohne TF_CONFIG.</translation>
    </message>
    <message>
        <source>variables are created, one copy per device</source>
        <translation>Variablen werden angelegt, eine Kopie je Gerät</translation>
    </message>
    <message>
        <source>Variables are created, one copy per device. The first replica&apos;s initial values count.</source>
        <translation>Variablen werden angelegt, eine Kopie je Gerät. Die Anfangswerte des ersten Replikats gelten.</translation>
    </message>
    <message>
        <source>each worker fills its own</source>
        <translation>jeder Worker füllt seinen</translation>
    </message>
    <message>
        <source>cache(): every worker has its own and fills it by its own reading; it is full once that worker has read all %1 images.</source>
        <translation>cache(): Jeder Worker hat seinen eigenen und füllt ihn durch eigenes Lesen; voll ist er, wenn dieser Worker alle %1 Bilder gelesen hat.</translation>
    </message>
    <message>
        <source>Scaling efficiency, modelled</source>
        <translation>Skalierungseffizienz, modelliert</translation>
    </message>
    <message numerus="yes">
        <source>%1: no mean, a value in %2 of %Ln runs</source>
        <translation>
            <numerusform>%1: kein Mittelwert, ein Wert in %2 von %Ln Lauf</numerusform>
            <numerusform>%1: kein Mittelwert, ein Wert in %2 von %Ln Läufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs reached the target</source>
        <translation>
            <numerusform>%1 von %Ln Lauf hat das Ziel erreicht</numerusform>
            <numerusform>%1 von %Ln Läufen haben das Ziel erreicht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs ended with a loss that is a number</source>
        <translation>
            <numerusform>%1 von %Ln Lauf endete mit einem Verlust, der eine Zahl ist</numerusform>
            <numerusform>%1 von %Ln Läufen endeten mit einem Verlust, der eine Zahl ist</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>not stopped: %1 of %Ln runs</source>
        <translation>
            <numerusform>nicht gestoppt: %1 von %Ln Lauf</numerusform>
            <numerusform>nicht gestoppt: %1 von %Ln Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>idle, or next cycle</source>
        <translation>Leerlauf oder nächster Zyklus</translation>
    </message>
    <message>
        <source>%1: no mean of modelled and measured times</source>
        <translation>%1: kein Mittelwert aus modellierten und gemessenen Zeiten</translation>
    </message>
    <message>
        <source>no mean: some times are modelled, others measured</source>
        <translation>kein Mittelwert: manche Zeiten sind modelliert, andere gemessen</translation>
    </message>
    <message>
        <source>All-reduce of the weights within each host: each copy counts by the number of images it was trained on. At the end the copies of a host are their mean.</source>
        <translation>All-Reduce der Gewichte innerhalb jedes Hosts: Jede Kopie zählt nach der Anzahl der Bilder, mit denen sie trainiert wurde. Am Ende sind die Kopien eines Hosts ihr Mittelwert.</translation>
    </message>
    <message>
        <source>Forward: the copies of a host have the same weights, those of other hosts have others; each replica computes its own loss.</source>
        <translation>Vorwärts: Die Kopien eines Hosts haben die gleichen Gewichte, die anderer Hosts haben andere; jedes Replikat berechnet seinen eigenen Verlust.</translation>
    </message>
    <message>
        <source>The copies of each host are equal now; those of different hosts need not be.</source>
        <translation>Die Kopien jedes Hosts sind jetzt gleich; die verschiedener Hosts müssen es nicht sein.</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>the built-in digits in colour</source>
        <translation>den eingebauten farbigen Ziffern</translation>
    </message>
    <message>
        <source>the built-in digits</source>
        <translation>den eingebauten Ziffern</translation>
    </message>
    <message>
        <source>The order is TensorFlow&apos;s: run returns after the update. The sum&apos;s few bytes are not in the step&apos;s time.</source>
        <translation>Die Reihenfolge ist die von TensorFlow: run endet nach dem Update. Die wenigen Bytes der Summe sind nicht in der Zeit des Schritts.</translation>
    </message>
    <message>
        <source>The gap to the ideal line is communication and waiting. “What if” shows the share of each.</source>
        <translation>Der Abstand zur Ideallinie ist Kommunikation und Warten. „Was wäre, wenn“ zeigt die Anteile.</translation>
    </message>
    <message>
        <source>From then on the graph runs, in each worker whenever it is ready.</source>
        <translation>Von da an läuft der Graph, in jedem Worker, sobald er bereit ist.</translation>
    </message>
    <message>
        <source>From then on the graph runs, all replicas at once.</source>
        <translation>Von da an läuft der Graph, alle Replikate zugleich.</translation>
    </message>
    <message>
        <source>(A note: StrategyLab traces nothing; its step is compiled.)</source>
        <translation>(Anmerkung: In StrategyLab gibt es kein Tracing; sein Schritt ist kompiliert.)</translation>
    </message>
    <message>
        <source>✕ worker %1 is dead</source>
        <translation>✕ Worker %1 ist tot</translation>
    </message>
    <message>
        <source>✕ %1 dead</source>
        <translation>✕ %1 tot</translation>
    </message>
    <message>
        <source>Branch from step %1.</source>
        <translation>Zweig ab Schritt %1.</translation>
    </message>
    <message>
        <source>A value changed by hand.</source>
        <translation>Ein Wert von Hand geändert.</translation>
    </message>
    <message>
        <source>Every run saw at most %1 images: twice the batch took at most half the steps.</source>
        <translation>Jeder Lauf sah höchstens %1 Bilder: Der doppelte Batch brauchte höchstens halb so viele Schritte.</translation>
    </message>
    <message>
        <source>No cell reached the target with every seed. Choose a lower target or longer runs in the plan, or see “%1”.</source>
        <translation>Keine Zelle hat das Ziel mit jedem Seed erreicht: im Plan ein niedrigeres Ziel oder längere Läufe wählen, oder „%1“ ansehen.</translation>
    </message>
    <message numerus="yes">
        <source>The server alone counts how many of %Ln test images are recognised: the workers have none.</source>
        <translation>
            <numerusform>Der Server allein zählt, ob %Ln Testbild erkannt wird: Die Worker haben keines.</numerusform>
            <numerusform>Der Server allein zählt, wie viele von %Ln Testbildern erkannt werden: Die Worker haben keine.</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>%1 to %2 of %3, by part</source>
        <translation>%1 bis %2 von %3, je nach Teil</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1 (%2 von %3)</translation>
    </message>
    <message>
        <source>Shown last: creating the variables copies the first replica&apos;s weights to the others, so that all begin with the same %1.</source>
        <translation>Zuletzt gezeigt: Beim Anlegen der Variablen werden die Gewichte des ersten Replikats zu den anderen kopiert, damit alle mit demselben %1 beginnen.</translation>
    </message>
    <message>
        <source>From then on the graph runs, on the one device.</source>
        <translation>Von da an läuft der Graph, auf dem einen Gerät.</translation>
    </message>
    <message>
        <source>cut off in step %1, just now (modelled)</source>
        <translation>abgeschnitten in Schritt %1, gerade eben (modelliert)</translation>
    </message>
    <message>
        <source>killed in step %1, just now (modelled)</source>
        <translation>getötet in Schritt %1, gerade eben (modelliert)</translation>
    </message>
    <message>
        <source>fit counts an empty slice as a zero in the mean: the gradient is only %1/%2 as large.</source>
        <translation>fit zählt einen leeren Anteil im Mittelwert als Null: Der Gradient ist nur %1/%2 so groß.</translation>
    </message>
    <message>
        <source>All-gather: each replica&apos;s part of %1 goes around the ring; the forward pass needs all of it.</source>
        <translation>All-Gather: Der Teil von %1, den jedes Replikat hält, geht im Ring herum; der Vorwärtsdurchlauf braucht alle Teile.</translation>
    </message>
    <message>
        <source>All devices read the one copy of the weights through the same bus, one after the other.</source>
        <translation>Alle Geräte lesen die eine Kopie der Gewichte über denselben Bus, eines nach dem anderen.</translation>
    </message>
    <message>
        <source>Reduced: the step buttons jump instead of gliding, and nothing moves before you press ▶. All arrows and numbers stay</source>
        <translation>Weniger: Die Schritt-Tasten springen, statt zu gleiten, und nichts bewegt sich, bevor Sie ▶ drücken. Alle Pfeile und Zahlen bleiben</translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>von Hand geändert</translation>
    </message>
    <message>
        <source>tf.data&apos;s older rule, for examples in memory: neighbouring shares of ⌈%1 ÷ %2⌉ = %3. %4 has image %5 of the batch.</source>
        <translation>Die ältere Regel von tf.data, für Beispiele im Speicher: benachbarte Anteile von ⌈%1 ÷ %2⌉ = %3. %4 hat Bild %5 des Batches.</translation>
    </message>
</context>
<context>
    <name>lab::ArrangeDialog</name>
    <message>
        <source>Arrange for the class</source>
        <translation>Für die Klasse einrichten</translation>
    </message>
    <message>
        <source>Find a control</source>
        <translation>Bedienelement suchen</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>Bedienelemente</translation>
    </message>
    <message>
        <source>Control</source>
        <translation>Bedienelement</translation>
    </message>
    <message>
        <source>For the class</source>
        <translation>Für die Klasse</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>&amp;Sperren</translation>
    </message>
    <message>
        <source>&amp;Hide</source>
        <translation>&amp;Ausblenden</translation>
    </message>
    <message>
        <source>locked</source>
        <translation>gesperrt</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>ausgeblendet</translation>
    </message>
    <message>
        <source>Choose controls here, or with the right mouse button in the window. %1 brings all of them back.</source>
        <translation>Wählen Sie Bedienelemente hier oder mit der rechten Maustaste im Fenster. %1 bringt alle zurück.</translation>
    </message>
    <message>
        <source>What is hidden or locked is saved with the experiment and in its link. This keeps a class on track; it is no protection.</source>
        <translation>Was ausgeblendet oder gesperrt ist, wird mit dem Experiment und in seinem Link gespeichert. Das hält eine Klasse bei der Sache, ist aber kein Schutz.</translation>
    </message>
</context>
<context>
    <name>lab::BatchGrid</name>
    <message>
        <source>What each replica computed with in this step</source>
        <translation>Womit jedes Replikat in diesem Schritt gerechnet hat</translation>
    </message>
    <message>
        <source>%1: %2 of %3 right, loss %4</source>
        <translation>%1: %2 von %3 richtig, Verlust %4</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln images, not computed yet</source>
        <translation>
            <numerusform>%1: %Ln Bild, noch nicht berechnet</numerusform>
            <numerusform>%1: %Ln Bilder, noch nicht berechnet</numerusform>
        </translation>
    </message>
    <message>
        <source>The training images that were distributed to each replica in the step on the stage, each with its label and what the replica took it for before the update: ✓ is right, ✗ is wrong. A click puts one on the pad.</source>
        <translation>Die Trainingsbilder, die jedes Replikat im Schritt auf der Bühne bekam, jedes mit seinem Label und dem, wofür das Replikat es vor dem Update hielt: ✓ ist richtig, ✗ ist falsch. Ein Klick legt eines auf die Zeichenfläche.</translation>
    </message>
    <message>
        <source>%1: nothing was distributed to it</source>
        <translation>%1: bekam nichts</translation>
    </message>
    <message>
        <source>Training image %1, label %2</source>
        <translation>Trainingsbild %1, Label %2</translation>
    </message>
    <message>
        <source>, was taken for %1. Loss %2</source>
        <translation>, wurde für %1 gehalten. Verlust %2</translation>
    </message>
    <message numerus="yes">
        <source>%1: %Ln images, left out: too late</source>
        <translation>
            <numerusform>%1: %Ln Bild, zu spät: ausgelassen</numerusform>
            <numerusform>%1: %Ln Bilder, zu spät: ausgelassen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::BatchKeptField</name>
    <message>
        <source>Keep batch</source>
        <translation>Batch halten</translation>
    </message>
    <message>
        <source>global</source>
        <translation>global</translation>
    </message>
    <message>
        <source>What stays when the number of replicas changes, here and in What if: the global batch, which the replicas share, or the batch of each replica</source>
        <translation>Was gleich bleibt, wenn sich die Zahl der Replikate ändert, hier und in „Was wäre, wenn“: der globale Batch, den die Replikate sich teilen, oder der Batch jedes Replikats</translation>
    </message>
    <message>
        <source>Under a parameter server each step belongs to one worker, with its own batch: the number of workers does not change that batch</source>
        <translation>Bei Parameterservern gehört jeder Schritt einem Worker mit eigenem Batch: Die Zahl der Worker ändert diesen Batch nicht</translation>
    </message>
    <message>
        <source>replica</source>
        <comment>each replica&apos;s batch</comment>
        <translation>Replikat</translation>
    </message>
</context>
<context>
    <name>lab::BranchMenus</name>
    <message>
        <source>There is room for four lanes. Close one first.</source>
        <translation>Platz ist für vier Bahnen. Schließen Sie zuerst eine.</translation>
    </message>
    <message>
        <source>Branch here…</source>
        <translation>Hier abzweigen …</translation>
    </message>
    <message>
        <source>Adds a lane that is the window&apos;s run up to the shown step and continues from there with one setting changed. Settings that cannot change in the middle of a run are greyed out and say why.</source>
        <translation>Fügt eine Bahn hinzu, die bis zum gezeigten Schritt der Lauf des Fensters ist und von dort mit einer geänderten Einstellung weitergeht. Einstellungen, die sich mitten in einem Lauf nicht ändern können, sind ausgegraut und sagen, warum.</translation>
    </message>
    <message>
        <source>Change a value…</source>
        <translation>Wert ändern …</translation>
    </message>
    <message>
        <source>Adds a lane in which the largest value of the selected weights or gradient of one replica is changed by hand in the shown step. See what the copies, the sum and later steps make of it.</source>
        <translation>Fügt eine Bahn hinzu, in der im gezeigten Schritt der größte Wert der ausgewählten Gewichte oder des Gradienten eines Replikats von Hand geändert ist. Sehen Sie, was die Kopien, die Summe und spätere Schritte daraus machen.</translation>
    </message>
    <message>
        <source>Under</source>
        <translation>Unter</translation>
    </message>
    <message>
        <source>From step %1 on</source>
        <translation>Ab Schritt %1</translation>
    </message>
    <message>
        <source>A branch of a class is a simulated run with the same number of workers, starting from what the class had here</source>
        <translation>Ein Zweig einer Klasse ist ein simulierter Lauf mit ebenso vielen Workern, ab dem Stand, den die Klasse hier hatte</translation>
    </message>
    <message>
        <source>From the shown step on, with one setting changed</source>
        <translation>Vom gezeigten Schritt an, mit einer geänderten Einstellung</translation>
    </message>
    <message>
        <source>Change one value of the selected replica by hand, in the shown step</source>
        <translation>Einen Wert des ausgewählten Replikats von Hand ändern, im gezeigten Schritt</translation>
    </message>
</context>
<context>
    <name>lab::BreakdownBar</name>
    <message>
        <source>%1 modelled</source>
        <translation>%1 modelliert</translation>
    </message>
    <message>
        <source>%1 measured</source>
        <translation>%1 gemessen</translation>
    </message>
    <message>
        <source>Where the step&apos;s time went</source>
        <translation>Wohin die Zeit des Schritts ging</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time of a step, its parts</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a time, of how many images</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 of %2 images</source>
        <translation>%1 von %2 Bildern</translation>
    </message>
    <message numerus="yes">
        <source>%Ln images</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::BreakdownStrip</name>
    <message>
        <source>Where the time went</source>
        <translation>Wohin die Zeit ging</translation>
    </message>
    <message>
        <source>Where the time of a device went. Every instant belongs to exactly one part, so the parts add up to the step. The table lists each device separately.</source>
        <translation>Wohin die Zeit eines Geräts ging. Jeder Augenblick gehört zu genau einem Teil, die Teile ergeben also zusammen den Schritt. Die Tabelle zeigt jedes Gerät einzeln.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>device, time</comment>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices alike, %1 each</source>
        <translation>
            <numerusform>%Ln Gerät, %1</numerusform>
            <numerusform>%Ln Geräte gleich, je %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mean of %Ln devices: %1</source>
        <translation>
            <numerusform>%Ln Gerät: %1</numerusform>
            <numerusform>Mittel von %Ln Geräten: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time of a step, its parts</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lab::BreakdownTable</name>
    <message>
        <source>Where the time went</source>
        <translation>Wohin die Zeit ging</translation>
    </message>
    <message>
        <source>Every instant of a device belongs to exactly one row, so the rows add up to the step, to the nanosecond.</source>
        <translation>Jeder Augenblick eines Geräts gehört zu genau einer Zeile: Die Zeilen ergeben zusammen den Schritt, auf die Nanosekunde genau.</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
</context>
<context>
    <name>lab::Centre</name>
    <message>
        <source>Look &amp;inside a replica</source>
        <translation>In ein Replikat &amp;hineinsehen</translation>
    </message>
    <message>
        <source>Losses over each replica&apos;s &amp;own batch (wrong)</source>
        <translation>Verluste über den eigenen Batch jedes Replikats (f&amp;alsch)</translation>
    </message>
    <message>
        <source>&amp;Differences of copies ×%1</source>
        <translation>&amp;Unterschiede der Kopien ×%1</translation>
    </message>
    <message>
        <source>Differences of copies ×%1: visible where copies are compared, at check or apply</source>
        <translation>Unterschiede der Kopien ×%1: sichtbar, wo Kopien verglichen werden, beim Prüfen oder Anwenden</translation>
    </message>
    <message>
        <source>Differences of copies at their true size</source>
        <translation>Unterschiede der Kopien in wahrer Größe</translation>
    </message>
    <message>
        <source>Only on the stage: in Teach, Explore and Profile</source>
        <translation>Nur auf der Bühne: in Lehren, Erkunden und Profilieren</translation>
    </message>
</context>
<context>
    <name>lab::ChartBar</name>
    <message>
        <source>Charts ▾</source>
        <translation>Diagramme ▾</translation>
    </message>
    <message>
        <source>Which charts are shown</source>
        <translation>Welche Diagramme gezeigt werden</translation>
    </message>
    <message>
        <source>The x axis of the charts</source>
        <translation>Die x-Achse der Diagramme</translation>
    </message>
    <message>
        <source>The x axis of the charts. Seconds of this computer and of simulated devices are two axes: they are never mixed</source>
        <translation>Die x-Achse der Diagramme. Sekunden dieses Rechners und simulierter Geräte sind zwei Achsen: Sie werden nie vermischt</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>A running mean in which each earlier point counts less by this factor; the values themselves stay in the background</source>
        <translation>Ein laufendes Mittel, in dem jeder frühere Punkt um diesen Faktor weniger zählt; die Werte selbst bleiben im Hintergrund</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>Logarithmic y axes, except for accuracy. Values of 0 are marked at the bottom</source>
        <translation>Logarithmische y-Achsen, außer bei der Genauigkeit. Werte von 0 sind am unteren Rand markiert</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show the whole range again (double-click a chart)</source>
        <translation>Wieder den ganzen Bereich zeigen (Doppelklick in ein Diagramm)</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
</context>
<context>
    <name>lab::ChartLines</name>
    <message>
        <source>diverged</source>
        <translation>divergiert</translation>
    </message>
    <message>
        <source>test</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lab::ChartPanel</name>
    <message>
        <source>Runs in the charts</source>
        <translation>Läufe in den Diagrammen</translation>
    </message>
    <message>
        <source>The check mark shows or hides a run; F2 renames it, Delete removes it, the right mouse button offers more</source>
        <translation>Das Häkchen zeigt oder verbirgt einen Lauf; F2 benennt ihn um, Entf löscht ihn, die rechte Maustaste bietet mehr</translation>
    </message>
    <message>
        <source>Step %1 of “%2” is stored as numbers only. Repeat the run to see its steps on the stage: the same seed gives the same steps.</source>
        <translation>Schritt %1 von „%2“ ist nur als Zahlen gespeichert. Wiederholen Sie den Lauf, um seine Schritte auf der Bühne zu sehen: Derselbe Seed ergibt dieselben Schritte.</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>Copied: the picture of “%1”, and its values as text</source>
        <translation>Kopiert: das Bild von „%1“ und seine Werte als Text</translation>
    </message>
    <message>
        <source>&amp;Copy picture and values</source>
        <translation>Bild und Werte &amp;kopieren</translation>
    </message>
    <message>
        <source>Show as &amp;table</source>
        <translation>Als &amp;Tabelle zeigen</translation>
    </message>
    <message>
        <source>Save as &amp;PNG…</source>
        <translation>Als &amp;PNG speichern …</translation>
    </message>
    <message>
        <source>Save the chart</source>
        <translation>Diagramm speichern</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>Save as &amp;SVG…</source>
        <translation>Als &amp;SVG speichern …</translation>
    </message>
    <message>
        <source>Pictures (*.svg)</source>
        <translation>Bilder (*.svg)</translation>
    </message>
    <message>
        <source>Save as CS&amp;V</source>
        <translation>Als CS&amp;V speichern</translation>
    </message>
    <message>
        <source>&amp;All runs…</source>
        <translation>&amp;Alle Läufe …</translation>
    </message>
    <message>
        <source>The &amp;selected run…</source>
        <translation>Den aus&amp;gewählten Lauf …</translation>
    </message>
    <message>
        <source>The &amp;visible range…</source>
        <translation>Den &amp;sichtbaren Bereich …</translation>
    </message>
    <message>
        <source>Save the values</source>
        <translation>Werte speichern</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>&amp;Über</translation>
    </message>
    <message>
        <source>S&amp;moothing</source>
        <translation>&amp;Glättung</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>&amp;Logarithmic</source>
        <translation>&amp;Logarithmisch</translation>
    </message>
    <message>
        <source>Show &amp;everything</source>
        <translation>All&amp;es zeigen</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>Lä&amp;ufe</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Step %1 of “%2” is stored as numbers only.</source>
        <translation>Schritt %1 von „%2“ ist nur als Zahlen gespeichert.</translation>
    </message>
</context>
<context>
    <name>lab::ChartTable</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>geglättet</translation>
    </message>
    <message>
        <source>test images</source>
        <translation>Testbilder</translation>
    </message>
    <message>
        <source>%1 as a table</source>
        <translation>%1 als Tabelle</translation>
    </message>
    <message>
        <source>Points in the range shown, when this was opened: %1. Select and press Ctrl+C to copy.</source>
        <translation>Punkte im gezeigten Bereich, beim Öffnen: %1. Auswählen und mit Strg+C kopieren.</translation>
    </message>
</context>
<context>
    <name>lab::ClassDesk</name>
    <message>
        <source>Share the experiment as a &amp;QR code…</source>
        <translation>Das Experiment als &amp;QR-Code teilen …</translation>
    </message>
    <message>
        <source>&amp;Arrange for the class…</source>
        <translation>Für die &amp;Klasse einrichten …</translation>
    </message>
    <message>
        <source>Bring all controls back, or hide and lock them again</source>
        <translation>Alle Bedienelemente zurückbringen, oder wieder ausblenden und sperren</translation>
    </message>
    <message>
        <source>Press %1 first: all controls then come back</source>
        <translation>Drücken Sie zuerst %1: Dann kommen alle Bedienelemente zurück</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln replicas</source>
        <translation>
            <numerusform>%1, %Ln Replikat</numerusform>
            <numerusform>%1, %Ln Replikate</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>This experiment hides or locks %Ln controls. %1 brings all back.</source>
        <translation>
            <numerusform>Dieses Experiment blendet %Ln Bedienelement aus oder sperrt es. %1 bringt alles zurück.</numerusform>
            <numerusform>Dieses Experiment blendet %Ln Bedienelemente aus oder sperrt sie. %1 bringt alles zurück.</numerusform>
        </translation>
    </message>
    <message>
        <source>Not known here, and ignored: %1.</source>
        <translation>Hier nicht bekannt und übergangen: %1.</translation>
    </message>
</context>
<context>
    <name>lab::ClassLocks</name>
    <message numerus="yes">
        <source>hide %Ln controls</source>
        <translation>
            <numerusform>%Ln Bedienelement ausblenden</numerusform>
            <numerusform>%Ln Bedienelemente ausblenden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>lock %Ln controls</source>
        <translation>
            <numerusform>%Ln Bedienelement sperren</numerusform>
            <numerusform>%Ln Bedienelemente sperren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>show %Ln controls</source>
        <translation>
            <numerusform>%Ln Bedienelement zeigen</numerusform>
            <numerusform>%Ln Bedienelemente zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Locked by the teacher&apos;s file; %1 brings all back</source>
        <translation>Von der Datei der Lehrkraft gesperrt; %1 bringt alles zurück</translation>
    </message>
    <message>
        <source>%1 is locked by the teacher&apos;s file. %2 brings all back.</source>
        <translation>%1 ist von der Datei der Lehrkraft gesperrt. %2 bringt alles zurück.</translation>
    </message>
    <message>
        <source>Locked controls stay locked. %1 brings all back.</source>
        <translation>Gesperrtes bleibt gesperrt. %1 bringt alles zurück.</translation>
    </message>
</context>
<context>
    <name>lab::ClassPanel</name>
    <message>
        <source>Serve to the class…</source>
        <translation>Für die Klasse bereitstellen …</translation>
    </message>
    <message>
        <source>Asks where and how; nothing can be reached before that</source>
        <translation>Fragt, wo und wie; vorher ist nichts erreichbar</translation>
    </message>
    <message>
        <source>Pause all</source>
        <translation>Alle anhalten</translation>
    </message>
    <message>
        <source>All workers rest after the gradient that they are computing; or they go on</source>
        <translation>Alle Worker ruhen nach dem Gradienten, an dem sie rechnen; oder sie machen weiter</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>For a browser, or strategylab-cli join</source>
        <translation>Für einen Browser oder strategylab-cli join</translation>
    </message>
    <message>
        <source>Copied: the link of the class</source>
        <translation>Kopiert: der Link der Klasse</translation>
    </message>
    <message>
        <source>End the lesson…</source>
        <translation>Stunde beenden …</translation>
    </message>
    <message>
        <source>Training ends for all; the run stays here</source>
        <translation>Das Training endet für alle; der Lauf bleibt hier</translation>
    </message>
    <message>
        <source>Show nicknames</source>
        <translation>Spitznamen zeigen</translation>
    </message>
    <message>
        <source>What students call themselves, beside the names that the program gives</source>
        <translation>Wie Lernende sich nennen, neben den Namen, die das Programm vergibt</translation>
    </message>
    <message>
        <source>Selected:</source>
        <translation>Ausgewählte:</translation>
    </message>
    <message>
        <source>Slow down ×2</source>
        <translation>Verlangsamen ×2</translation>
    </message>
    <message>
        <source>The selected workers take twice as long for each closure</source>
        <translation>Die ausgewählten Worker brauchen für jede Closure doppelt so lange</translation>
    </message>
    <message>
        <source>Slow down ×4</source>
        <translation>Verlangsamen ×4</translation>
    </message>
    <message>
        <source>The selected workers take four times as long for each closure</source>
        <translation>Die ausgewählten Worker brauchen für jede Closure viermal so lange</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Volles Tempo</translation>
    </message>
    <message>
        <source>The selected workers are no longer slowed down</source>
        <translation>Die ausgewählten Worker werden nicht mehr verlangsamt</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Sends the selected workers away and tells them why; others do their closures</source>
        <translation>Schickt die ausgewählten Worker fort und nennt ihnen den Grund; andere übernehmen ihre Closures</translation>
    </message>
    <message>
        <source>Show the stage</source>
        <translation>Bühne zeigen</translation>
    </message>
    <message>
        <source>Show the code</source>
        <translation>Code zeigen</translation>
    </message>
    <message>
        <source>End the lesson?</source>
        <translation>Stunde beenden?</translation>
    </message>
    <message numerus="yes">
        <source>Training ends for %Ln workers, and the link is no longer valid. The run stays in the window.</source>
        <translation>
            <numerusform>Das Training endet für %Ln Worker, und der Link gilt nicht mehr. Der Lauf bleibt im Fenster.</numerusform>
            <numerusform>Das Training endet für %Ln Worker, und der Link gilt nicht mehr. Der Lauf bleibt im Fenster.</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;End the lesson</source>
        <translation>Stunde &amp;beenden</translation>
    </message>
    <message>
        <source>&amp;Go on with it</source>
        <translation>&amp;Weitermachen</translation>
    </message>
    <message>
        <source>The lesson is over. Its run is in the charts and among the runs.</source>
        <translation>Die Stunde ist zu Ende. Ihr Lauf steht in den Diagrammen und bei den Läufen.</translation>
    </message>
    <message>
        <source>No class is served. Students join in their browsers with a QR code, install nothing, and compute real gradients of this experiment; they appear here as they join.</source>
        <translation>Keine Klasse ist verbunden. Lernende treten mit einem QR-Code in ihrem Browser bei, installieren nichts und rechnen echte Gradienten dieses Experiments; sie erscheinen hier, sobald sie beitreten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>QR code and link, large, in place of the stage</source>
        <translation>QR-Code und Link, groß, anstelle der Bühne</translation>
    </message>
    <message>
        <source>The lesson ended before its first update.</source>
        <translation>Die Stunde ist vor dem ersten Update zu Ende gegangen.</translation>
    </message>
</context>
<context>
    <name>lab::ClassServing</name>
    <message>
        <source>Serve to the c&amp;lass…</source>
        <translation>Für die K&amp;lasse bereitstellen …</translation>
    </message>
    <message>
        <source>Code of the class in place of the stage</source>
        <translation>Code der Klasse anstelle der Bühne</translation>
    </message>
    <message>
        <source>The lesson is over</source>
        <translation>Die Stunde ist zu Ende</translation>
    </message>
    <message>
        <source>There is no class: Run ▸ Serve to the class</source>
        <translation>Es gibt keine Klasse: Lauf ▸ Für die Klasse bereitstellen</translation>
    </message>
</context>
<context>
    <name>lab::ClusterEditor</name>
    <message>
        <source>A row of the hardware catalogue; the tooltip shows its figures and their sources.</source>
        <translation>Eine Zeile des Hardwarekatalogs; der Tooltip nennt Kennzahlen und Quellen.</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Devices/host</source>
        <translation>Geräte je Host</translation>
    </message>
    <message>
        <source>Devices of the first kind in each host.</source>
        <translation>Geräte der ersten Art in jedem Host.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>plus</source>
        <translation>und dazu</translation>
    </message>
    <message>
        <source>Devices of a second kind in each host; 0: none.</source>
        <translation>Geräte einer zweiten Art in jedem Host; 0: keine.</translation>
    </message>
    <message>
        <source>another</source>
        <translation>andere Art</translation>
    </message>
    <message>
        <source>Link inside</source>
        <translation>Link im Host</translation>
    </message>
    <message>
        <source>Between hosts</source>
        <translation>Zwischen Hosts</translation>
    </message>
    <message>
        <source>NICs/host</source>
        <translation>NICs je Host</translation>
    </message>
    <message>
        <source>Network cards of each host; each is one link between hosts.</source>
        <translation>Netzwerkkarten jedes Hosts; jede ist ein Link zwischen Hosts.</translation>
    </message>
    <message>
        <source>Group of hosts</source>
        <translation>Gruppe von Hosts</translation>
    </message>
    <message>
        <source>Hosts that are alike form a group; the fields below describe the group that is chosen here.</source>
        <translation>Gleiche Hosts bilden eine Gruppe; die Felder darunter beschreiben die hier gewählte.</translation>
    </message>
    <message>
        <source>Machines of this group, all alike.</source>
        <translation>Rechner dieser Gruppe, alle gleich.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Add a group of hosts like this one</source>
        <translation>Eine Gruppe von Hosts wie diese hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove this group of hosts</source>
        <translation>Diese Gruppe von Hosts entfernen</translation>
    </message>
    <message>
        <source>%1 has no ports for it; it has: %2.</source>
        <translation>%1 hat dafür keine Anschlüsse, sondern: %2.</translation>
    </message>
</context>
<context>
    <name>lab::ClusterPicture</name>
    <message numerus="yes">
        <source>%Ln hosts</source>
        <translation>
            <numerusform>%Ln Host</numerusform>
            <numerusform>%Ln Hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>with %Ln devices each, joined by %1</source>
        <translation>
            <numerusform>mit je %Ln Gerät, verbunden durch %1</numerusform>
            <numerusform>mit je %Ln Geräten, verbunden durch %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; between hosts %Ln NICs of %1</source>
        <translation>
            <numerusform>; zwischen Hosts %Ln NIC, %1</numerusform>
            <numerusform>; zwischen Hosts %Ln NICs, %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Picture of the cluster</source>
        <translation>Bild des Clusters</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>hosts %1 to %2</source>
        <translation>Hosts %1 bis %2</translation>
    </message>
    <message numerus="yes">
        <source>and %Ln parameter servers, each a host of its own</source>
        <translation>
            <numerusform>und %Ln Parameterserver, ein eigener Host</numerusform>
            <numerusform>und %Ln Parameterserver, jeder ein eigener Host</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>to %Ln parameter servers</source>
        <translation>
            <numerusform>zu %Ln Parameterserver</numerusform>
            <numerusform>zu %Ln Parameterservern</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::CommandPalette</name>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Type a command, or a setting and its value: replicas 4</source>
        <translation>Befehl eingeben, oder eine Einstellung und ihren Wert: Replikate 4</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>Gefundene Befehle</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1 auf %2 setzen</translation>
    </message>
    <message>
        <source>    (not now)</source>
        <translation>    (jetzt nicht)</translation>
    </message>
    <message>
        <source>No command is called “%1”. A setting is typed with its value: replicas 4</source>
        <translation>Kein Befehl heißt „%1“. Eine Einstellung tippt man mit ihrem Wert: Replikate 4</translation>
    </message>
    <message>
        <source>%1 is %2 already.</source>
        <translation>%1 ist schon %2.</translation>
    </message>
    <message>
        <source>Not now: %1</source>
        <translation>Jetzt nicht: %1</translation>
    </message>
    <message>
        <source>“%1” is a setting, typed with its value. %2</source>
        <translation>„%1“ ist eine Einstellung; dahinter steht ihr Wert. %2</translation>
    </message>
</context>
<context>
    <name>lab::CompareActions</name>
    <message>
        <source>&amp;Compare with…</source>
        <translation>&amp;Vergleichen mit …</translation>
    </message>
    <message>
        <source>Write a repor&amp;t of the lanes…</source>
        <translation>Berich&amp;t über die Bahnen schreiben …</translation>
    </message>
    <message>
        <source>Bra&amp;nch here…</source>
        <translation>Hier abz&amp;weigen …</translation>
    </message>
    <message>
        <source>C&amp;hange a value…</source>
        <translation>Wert än&amp;dern …</translation>
    </message>
    <message>
        <source>Run &amp;until…</source>
        <translation>La&amp;ufen bis …</translation>
    </message>
    <message>
        <source>First &amp;difference of the lane</source>
        <translation>&amp;Erster Unterschied der Bahn</translation>
    </message>
    <message>
        <source>Ne&amp;xt difference between lanes</source>
        <translation>&amp;Nächster Unterschied zwischen den Bahnen</translation>
    </message>
    <message>
        <source>Pre&amp;vious difference between lanes</source>
        <translation>&amp;Voriger Unterschied zwischen den Bahnen</translation>
    </message>
</context>
<context>
    <name>lab::CompareView</name>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bildern</translation>
    </message>
    <message>
        <source>modelled time</source>
        <translation>modellierter Zeit</translation>
    </message>
    <message>
        <source>All show the same step and the same part of it.</source>
        <translation>Alle zeigen denselben Schritt und denselben Teil davon.</translation>
    </message>
    <message>
        <source>All have seen the same number of images: a parameter server&apos;s worker takes several steps meanwhile.</source>
        <translation>Alle haben gleich viele Bilder gesehen: Ein Worker eines Parameterservers macht inzwischen mehrere Schritte.</translation>
    </message>
    <message>
        <source>All show the same moment of their modelled clocks: the fast lane is steps ahead.</source>
        <translation>Alle zeigen denselben Moment ihrer modellierten Uhren: Die schnelle Bahn ist Schritte voraus.</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Vergleichen mit …</translation>
    </message>
    <message>
        <source>Another strategy, or a kept run, beside this one (C)</source>
        <translation>Eine andere Strategie oder ein behaltener Lauf neben diesem (C)</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>&amp;Align by</source>
        <translation>Aus&amp;richten nach</translation>
    </message>
    <message>
        <source>&amp;Baseline</source>
        <translation>Bez&amp;ug</translation>
    </message>
    <message>
        <source>&amp;Target accuracy</source>
        <translation>&amp;Zielgenauigkeit</translation>
    </message>
    <message>
        <source>This experiment under</source>
        <translation>Dieses Experiment unter</translation>
    </message>
    <message>
        <source>A kept run, once more</source>
        <translation>Ein behaltener Lauf, noch einmal</translation>
    </message>
    <message>
        <source>There is none yet</source>
        <translation>Es gibt noch keinen</translation>
    </message>
    <message>
        <source>One lane: compare it with another.</source>
        <translation>Eine Bahn: Vergleichen Sie sie mit einer anderen.</translation>
    </message>
    <message>
        <source>The movie waits for a lane that is still training.</source>
        <translation>Der Film wartet auf eine Bahn, die noch trainiert.</translation>
    </message>
    <message>
        <source>Aligned.</source>
        <translation>Ausgerichtet.</translation>
    </message>
    <message>
        <source>What all lanes have in common at a moment</source>
        <translation>Was alle Bahnen in einem Moment gemeinsam haben</translation>
    </message>
    <message>
        <source>What all lanes have in common at a moment: the number of the step; the images that they have seen; or the time on their modelled clocks, by which the fast lane is steps ahead while another waits at its barrier.</source>
        <translation>Was alle Bahnen in einem Moment gemeinsam haben: die Nummer des Schritts; die Bilder, die sie gesehen haben; oder die Zeit auf ihren modellierten Uhren, nach der die schnelle Bahn Schritte voraus ist, während eine andere an ihrer Barriere wartet.</translation>
    </message>
    <message>
        <source>The lane that the others are compared with: differences and distances are measured from it.</source>
        <translation>Die Bahn, mit der die anderen verglichen werden: Unterschiede und Abstände beziehen sich auf sie.</translation>
    </message>
    <message>
        <source>An accuracy on the test images. The table then says how many steps and how much modelled time each lane took to an evaluation that reached it.</source>
        <translation>Eine Genauigkeit auf den Testbildern. Die Tabelle sagt dann, wie viele Schritte und wie viel modellierte Zeit jede Bahn bis zu einer Auswertung brauchte, die sie erreichte.</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>Läufe nebeneinander</translation>
    </message>
    <message>
        <source>There can be at most four lanes. Close one first.</source>
        <translation>Es gibt höchstens vier Bahnen. Schließen Sie zuerst eine.</translation>
    </message>
    <message>
        <source>One lane.</source>
        <translation>Eine Bahn.</translation>
    </message>
    <message>
        <source>Waits.</source>
        <translation>Wartet.</translation>
    </message>
    <message>
        <source>%1 begins with step %2, and shows its beginning until then.</source>
        <translation>%1 beginnt mit Schritt %2 und zeigt bis dahin dessen Anfang.</translation>
    </message>
    <message>
        <source>%1 has ended after step %2, which it shows.</source>
        <translation>%1 hat nach Schritt %2 geendet und zeigt ihn.</translation>
    </message>
    <message>
        <source>Not all.</source>
        <translation>Nicht alle.</translation>
    </message>
    <message>
        <source>A lane already has %1 with the same settings. Choose Branch here or a kept run: these have other settings.</source>
        <translation>Eine Bahn hat %1 schon mit denselben Einstellungen. Wählen Sie „Hier abzweigen“ oder einen behaltenen Lauf: Diese haben andere.</translation>
    </message>
    <message>
        <source>Searching for where weights begin to differ. %1</source>
        <translation>Gesucht wird, wo sich Gewichte zu unterscheiden beginnen. %1</translation>
    </message>
    <message>
        <source>The others are compared with this one. In their pictures, values and answers that differ from those in this one are underlined (≠): values that are more than one of 255 colours apart.</source>
        <translation>Mit diesem werden die anderen verglichen. In deren Bildern sind Werte und Antworten unterstrichen (≠), die von denen in diesem abweichen: bei Werten um mehr als eine von 255 Farbstufen.</translation>
    </message>
    <message>
        <source>Beyond tf.distribute</source>
        <translation>Nicht in tf.distribute</translation>
    </message>
</context>
<context>
    <name>lab::ConfusionTable</name>
    <message>
        <source>Confusion matrix of the test images</source>
        <translation>Konfusionsmatrix der Testbilder</translation>
    </message>
    <message numerus="yes">
        <source>%1 taken for %2: %Ln times</source>
        <translation>
            <numerusform>%1 für %2 gehalten: %Ln-mal</numerusform>
            <numerusform>%1 für %2 gehalten: %Ln-mal</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 taken for %2: %3 of the test images</source>
        <translation>%1 für %2 gehalten: %3 der Testbilder</translation>
    </message>
    <message>
        <source>Each row is a class, each column what the network takes it for: on the diagonal it is right.</source>
        <translation>Jede Zeile ist eine Klasse, jede Spalte, wofür das Netz sie hält: Auf der Diagonale liegt es richtig.</translation>
    </message>
    <message>
        <source>rows: the class · columns: what it is taken for</source>
        <translation>Zeilen: die Klasse · Spalten: wofür sie gehalten wird</translation>
    </message>
</context>
<context>
    <name>lab::CoordinatesPanel</name>
    <message>
        <source>Group by</source>
        <translation>Gruppieren nach</translation>
    </message>
    <message>
        <source>Mean and standard deviation of all runs that share a value of this setting, whatever else they differ in</source>
        <translation>Mittelwert und Standardabweichung aller Läufe, die einen Wert dieser Einstellung teilen, was immer sie sonst unterscheidet</translation>
    </message>
    <message>
        <source>Measures ▾</source>
        <translation>Maße ▾</translation>
    </message>
    <message>
        <source>Which measures have an axis</source>
        <translation>Welche Maße eine Achse haben</translation>
    </message>
    <message>
        <source>All runs</source>
        <translation>Alle Läufe</translation>
    </message>
    <message>
        <source>Clears all ranges</source>
        <translation>Hebt alle Bereiche auf</translation>
    </message>
    <message>
        <source>each run alone</source>
        <translation>jeder Lauf für sich</translation>
    </message>
    <message>
        <source>grouped by: %1</source>
        <translation>gruppiert nach: %1</translation>
    </message>
</context>
<context>
    <name>lab::CounterTracks</name>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Counters of the step</source>
        <translation>Zähler des Schritts</translation>
    </message>
    <message>
        <source>Bytes in flight, links in use and the memory of the chosen device over the step. Point at a moment to see its values. The arrow keys go from change to change and from track to track; the other keys are the trace&apos;s.</source>
        <translation>Bytes unterwegs, genutzte Links und der Speicher des gewählten Geräts über den Schritt. Zeigen Sie auf einen Moment, um seine Werte zu sehen. Die Pfeiltasten gehen von Änderung zu Änderung und von Verlauf zu Verlauf; die anderen Tasten sind die des Trace.</translation>
    </message>
    <message>
        <source>bytes in flight</source>
        <translation>Bytes unterwegs</translation>
    </message>
    <message>
        <source>links in use</source>
        <translation>genutzte Links</translation>
    </message>
    <message>
        <source>memory of %1</source>
        <translation>Speicher von %1</translation>
    </message>
    <message>
        <source>%1: %2 from %3 to %4 of the step, up to %5, %6</source>
        <comment>counter, value, moments, highest value, clock</comment>
        <translation>%1: %2 von %3 bis %4 des Schritts, bis zu %5, %6</translation>
    </message>
    <message>
        <source>%1: up to %2, %3</source>
        <comment>counter, highest value, clock</comment>
        <translation>%1: bis zu %2, %3</translation>
    </message>
    <message>
        <source>%1: %2, %3
from %4 to %5</source>
        <comment>counter, value, clock, moments</comment>
        <translation>%1: %2, %3
von %4 bis %5</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
</context>
<context>
    <name>lab::Crosshair</name>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1  %2, at %3</source>
        <translation>%1  %2, bei %3</translation>
    </message>
</context>
<context>
    <name>lab::CurvePad</name>
    <message>
        <source>Draw with the mouse; or use the arrow keys: left and right choose a place, up and down move the curve there</source>
        <translation>Mit der Maus zeichnen oder mit den Pfeiltasten: links und rechts wählen eine Stelle, auf und ab bewegen dort die Kurve</translation>
    </message>
</context>
<context>
    <name>lab::DataDialog</name>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Custom images</source>
        <translation>Eigene Bilder</translation>
    </message>
    <message>
        <source>C&amp;hoose files…</source>
        <translation>Dateien &amp;wählen …</translation>
    </message>
    <message>
        <source>Choose the four IDX files of a custom data set</source>
        <translation>Die vier IDX-Dateien eines eigenen Datensatzes wählen</translation>
    </message>
    <message>
        <source>Train with &amp;these</source>
        <translation>Mit &amp;diesen trainieren</translation>
    </message>
    <message>
        <source>Start the experiment again with the custom data, whose preview is below</source>
        <translation>Das Experiment neu beginnen mit den eigenen Daten, deren Vorschau unten steht</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Close this window; downloads continue</source>
        <translation>Dieses Fenster schließen; Downloads laufen weiter</translation>
    </message>
    <message>
        <source>How much of %1 has been fetched</source>
        <translation>Wie viel von %1 geladen ist</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>Fetch %1, or pause and go on</source>
        <translation>%1 laden, oder anhalten und fortsetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop fetching %1, and delete the incomplete file</source>
        <translation>Das Laden von %1 abbrechen und die unvollständige Datei löschen</translation>
    </message>
    <message>
        <source>Train with it</source>
        <translation>Damit trainieren</translation>
    </message>
    <message>
        <source>Start the experiment again with %1</source>
        <translation>Das Experiment neu beginnen mit %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>The four IDX files</source>
        <translation>Die vier IDX-Dateien</translation>
    </message>
    <message>
        <source>IDX files (*idx* *.gz);;All files (*)</source>
        <translation>IDX-Dateien (*idx* *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>Checked. For training: %1 and %2; for testing: %3 and %4.</source>
        <translation>Geprüft. Zum Trainieren: %1 und %2; zum Testen: %3 und %4.</translation>
    </message>
    <message>
        <source>No home folder is set on this machine, so there is no place to keep data.</source>
        <translation>Auf diesem Rechner ist kein persönlicher Ordner eingestellt, also gibt es keinen Ort für Daten.</translation>
    </message>
    <message>
        <source>The experiment has started again with the new data.</source>
        <translation>Das Experiment hat mit den neuen Daten neu begonnen.</translation>
    </message>
    <message>
        <source>Files that are left out, and why</source>
        <translation>Dateien, die ausgelassen werden, und warum</translation>
    </message>
    <message>
        <source>Choose a f&amp;older…</source>
        <translation>&amp;Ordner wählen …</translation>
    </message>
    <message>
        <source>Choose a folder of pictures, with a folder for each class</source>
        <translation>Einen Ordner mit Bildern wählen, in dem jede Klasse einen Ordner hat</translation>
    </message>
    <message>
        <source>A folder of pictures</source>
        <translation>Ein Ordner mit Bildern</translation>
    </message>
    <message>
        <source>Checked: %1 pictures of %2 classes in %3.</source>
        <translation>Geprüft: %1 Bilder aus %2 Klassen in %3.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln files are left out:</source>
        <translation>
            <numerusform>%Ln Datei wird ausgelassen:</numerusform>
            <numerusform>%Ln Dateien werden ausgelassen:</numerusform>
        </translation>
    </message>
    <message>
        <source>Below the preview: what is left out, and why.</source>
        <translation>Unter der Vorschau: was ausgelassen wird, und warum.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Drop a folder here in which each class has its own folder of PNG or JPEG pictures: they are scaled to the network&apos;s input, and about a fifth of them is kept for testing. Or drop four IDX files like MNIST&apos;s: 28×28 grey pixels, labels 0 to 9.</source>
        <translation>Legen Sie hier einen Ordner ab, in dem jede Klasse einen eigenen Ordner mit PNG- oder JPEG-Bildern hat: Sie werden auf die Eingabe des Netzes skaliert, und etwa ein Fünftel dient zum Testen. Oder legen Sie vier IDX-Dateien wie die von MNIST ab: 28×28 graue Pixel, Labels 0 bis 9.</translation>
    </message>
    <message>
        <source>Pictures alone have no classes. Give the folder in which each class has its own folder of them.</source>
        <translation>Bilder allein haben keine Klassen. Geben Sie den Ordner an, in dem jede Klasse einen eigenen Ordner mit Bildern hat.</translation>
    </message>
</context>
<context>
    <name>lab::DataFetch</name>
    <message>
        <source>On this machine, in %1. Its checksums are right.</source>
        <translation>Auf diesem Rechner, in %1. Die Prüfsummen stimmen.</translation>
    </message>
    <message>
        <source>Part of the data set is here; fetching continues from there.</source>
        <translation>Ein Teil des Datensatzes ist da; das Laden geht von dort weiter.</translation>
    </message>
    <message>
        <source>Not on this machine.</source>
        <translation>Nicht auf diesem Rechner.</translation>
    </message>
    <message>
        <source>No home folder is set on this machine, so there is no place to keep data.</source>
        <translation>Auf diesem Rechner ist kein persönlicher Ordner eingestellt, also gibt es keinen Ort für Daten.</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>File %1 of %2: %3 of %4</source>
        <translation>Datei %1 von %2: %3 von %4</translation>
    </message>
    <message>
        <source>File %1 of %2: %3</source>
        <translation>Datei %1 von %2: %3</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>Cancelling…</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <source>Cancelled. Not on this machine.</source>
        <translation>Abgebrochen. Nicht auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Paused. The part already fetched is kept.</source>
        <translation>Angehalten. Was schon geladen ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Complete, in %1. The checksums of all files are right.</source>
        <translation>Vollständig, in %1. Die Prüfsummen aller Dateien stimmen.</translation>
    </message>
</context>
<context>
    <name>lab::DataPreview</name>
    <message>
        <source>Preview of the data set</source>
        <translation>Vorschau des Datensatzes</translation>
    </message>
    <message>
        <source>The first training images with their labels, and how many images of each class there are</source>
        <translation>Die ersten Trainingsbilder mit ihren Labels, und wie viele Bilder jeder Klasse es gibt</translation>
    </message>
    <message>
        <source>class %1: %2 for training, %3 for testing</source>
        <translation>Klasse %1: %2 zum Trainieren, %3 zum Testen</translation>
    </message>
    <message>
        <source>The first images of a data set and the sizes of its classes are shown here</source>
        <translation>Hier stehen die ersten Bilder eines Datensatzes und die Größen seiner Klassen</translation>
    </message>
    <message>
        <source>Images of each class: left for training, right for testing, each to its own scale</source>
        <translation>Bilder jeder Klasse: links zum Trainieren, rechts zum Testen, jeweils in eigenem Maßstab</translation>
    </message>
    <message>
        <source>%1 training and %2 test images, %3×%4 colour pixels each</source>
        <translation>%1 Trainings- und %2 Testbilder, je %3×%4 farbige Pixel</translation>
    </message>
    <message>
        <source>%1 training and %2 test images, %3×%4 grey pixels each</source>
        <translation>%1 Trainings- und %2 Testbilder, je %3×%4 graue Pixel</translation>
    </message>
</context>
<context>
    <name>lab::Describer</name>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Not in this step</source>
        <translation>Nicht in diesem Schritt</translation>
    </message>
    <message>
        <source>The selected object does not occur in the shown step. It appears again with a step that has it.</source>
        <translation>Das ausgewählte Objekt kommt im gezeigten Schritt nicht vor. Es erscheint wieder mit einem Schritt, der es enthält.</translation>
    </message>
    <message>
        <source>Training image %1</source>
        <translation>Trainingsbild %1</translation>
    </message>
    <message>
        <source>of %1, %2</source>
        <translation>aus %1, %2</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Label</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>noch nicht berechnet</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>%1, right</source>
        <translation>%1, richtig</translation>
    </message>
    <message>
        <source>%1, wrong</source>
        <translation>%1, falsch</translation>
    </message>
    <message>
        <source>Its loss</source>
        <translation>Sein Verlust</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>%1 of %2 on %3</source>
        <translation>%1 von %2 auf %3</translation>
    </message>
    <message>
        <source>Weights of %1</source>
        <translation>Gewichte von %1</translation>
    </message>
    <message>
        <source>Version now</source>
        <translation>Version jetzt</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message numerus="yes">
        <source>%1: after %Ln updates</source>
        <translation>
            <numerusform>%1: nach %Ln Update</numerusform>
            <numerusform>%1: nach %Ln Updates</numerusform>
        </translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>The only copy: every device that needs these weights pulls them from here.</source>
        <translation>Die einzige Kopie: Wer diese Gewichte braucht, holt sie von hier.</translation>
    </message>
    <message>
        <source>This replica has no copy of its own yet.</source>
        <translation>Dieses Replikat hat noch keine eigene Kopie.</translation>
    </message>
    <message>
        <source>Checksum after step %1</source>
        <translation>Prüfsumme nach Schritt %1</translation>
    </message>
    <message>
        <source>Distance to the servers&apos; copy</source>
        <translation>Abstand zur Kopie der Server</translation>
    </message>
    <message>
        <source>Distance to the first copy</source>
        <translation>Abstand zur ersten Kopie</translation>
    </message>
    <message>
        <source>0: the same bits</source>
        <translation>0: dieselben Bits</translation>
    </message>
    <message>
        <source>Behind the servers by</source>
        <translation>Rückstand auf die Server</translation>
    </message>
    <message>
        <source>All %1 copies after the step</source>
        <translation>Alle %1 Kopien nach dem Schritt</translation>
    </message>
    <message>
        <source>identical, bit by bit</source>
        <translation>identisch, Bit für Bit</translation>
    </message>
    <message>
        <source>they differ</source>
        <translation>sie unterscheiden sich</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>in another step&apos;s time</source>
        <translation>in der Zeit eines anderen Schritts</translation>
    </message>
    <message>
        <source>to come</source>
        <translation>steht aus</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>Coordinator&apos;s queue</source>
        <translation>Warteschlange des Koordinators</translation>
    </message>
    <message>
        <source>One closure at a time for every worker</source>
        <translation>Jeder Worker bekommt eine Closure nach der anderen</translation>
    </message>
    <message>
        <source>computes its batch</source>
        <translation>rechnet seinen Batch</translation>
    </message>
    <message>
        <source>pulls weights</source>
        <translation>holt Gewichte</translation>
    </message>
    <message>
        <source>pushes gradients</source>
        <translation>schickt Gradienten</translation>
    </message>
    <message>
        <source>Host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>This strategy reads no TF_CONFIG.</source>
        <translation>Diese Strategie liest kein TF_CONFIG.</translation>
    </message>
    <message>
        <source>TF_CONFIG, as the program on this host finds it in its environment. It must be there before the strategy is constructed.</source>
        <translation>TF_CONFIG, wie das Programm auf diesem Host es in seiner Umgebung findet. Es muss da sein, bevor die Strategie erzeugt wird.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>SIMULATED: computes for real, its time is modelled</source>
        <translation>SIMULIERT: rechnet wirklich, seine Zeit ist modelliert</translation>
    </message>
    <message>
        <source>REAL GPU: its time is measured, between its own events</source>
        <translation>ECHTE GPU: ihre Zeit wird gemessen, zwischen eigenen Ereignissen</translation>
    </message>
    <message>
        <source>REAL CPU: its time is measured</source>
        <translation>ECHTE CPU: ihre Zeit wird gemessen</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>at rest</source>
        <translation>in Ruhe</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>takes %1 times as long</source>
        <translation>braucht %1-mal so lange</translation>
    </message>
    <message>
        <source>  variables</source>
        <translation>  Variablen</translation>
    </message>
    <message>
        <source>  gradients</source>
        <translation>  Gradienten</translation>
    </message>
    <message>
        <source>  optimizer&apos;s slots</source>
        <translation>  Optimierer-Slots</translation>
    </message>
    <message>
        <source>  activations</source>
        <translation>  Aktivierungen</translation>
    </message>
    <message>
        <source>Link %1 → %2</source>
        <translation>Link %1 → %2</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>%1 µs, modelled</source>
        <translation>%1 µs, modelliert</translation>
    </message>
    <message>
        <source>this computer&apos;s memory, measured</source>
        <translation>Speicher dieses Rechners, gemessen</translation>
    </message>
    <message>
        <source>Transfers in this step</source>
        <translation>Übertragungen in diesem Schritt</translation>
    </message>
    <message>
        <source>Bytes so far</source>
        <translation>Bytes bisher</translation>
    </message>
    <message>
        <source>Bytes in the whole step</source>
        <translation>Bytes im ganzen Schritt</translation>
    </message>
    <message>
        <source>version %1</source>
        <translation>Version %1</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>Share of all variables</source>
        <translation>Anteil an allen Variablen</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln values</source>
        <translation>
            <numerusform>%1, %Ln Wert</numerusform>
            <numerusform>%1, %Ln Werte</numerusform>
        </translation>
    </message>
    <message>
        <source>Gradient buffer of %1</source>
        <translation>Gradientenpuffer von %1</translation>
    </message>
    <message>
        <source>Not computed yet: the backward pass fills this buffer, last layer first.</source>
        <translation>Noch nicht berechnet: Der Rückwärtsdurchlauf füllt diesen Puffer, die letzte Schicht zuerst.</translation>
    </message>
    <message>
        <source>Contains</source>
        <translation>Enthält</translation>
    </message>
    <message>
        <source>Empty until gradients arrive.</source>
        <translation>Leer, bis Gradienten eintreffen.</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2-Norm</translation>
    </message>
    <message>
        <source>From, to</source>
        <translation>Von, bis</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>The first %1 values; with this many replicas, showing all takes too long.</source>
        <translation>Die ersten %1 Werte; bei so vielen Replikaten dauert es zu lange, alle zu zeigen.</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1, round %2</source>
        <translation>%1, Runde %2</translation>
    </message>
    <message>
        <source>On arrival</source>
        <translation>Bei Ankunft</translation>
    </message>
    <message>
        <source>is added to what is there</source>
        <translation>wird zum Vorhandenen addiert</translation>
    </message>
    <message>
        <source>replaces what is there</source>
        <translation>ersetzt das Vorhandene</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Link</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Dauert</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>not sent yet</source>
        <translation>noch nicht gesendet</translation>
    </message>
    <message>
        <source>has arrived</source>
        <translation>ist angekommen</translation>
    </message>
    <message>
        <source>%1 % of the way</source>
        <translation>%1 % des Weges</translation>
    </message>
    <message>
        <source>Pack</source>
        <translation>Paket</translation>
    </message>
    <message>
        <source>The addition, for five of the values: %1 + %2 = sum</source>
        <translation>Die Addition, für fünf der Werte: %1 + %2 = Summe</translation>
    </message>
    <message>
        <source>Five of the values that are copied</source>
        <translation>Fünf der Werte, die kopiert werden</translation>
    </message>
    <message>
        <source>Its gradients have been applied; the next batch comes with the next weights.</source>
        <translation>Seine Gradienten sind angewandt; der nächste Batch kommt mit den nächsten Gewichten.</translation>
    </message>
    <message>
        <source>Counts in the gradient</source>
        <translation>Zählt im Gradienten</translation>
    </message>
    <message>
        <source>%1; in equal shares it would be 1/%2</source>
        <translation>%1; bei gleichen Anteilen wäre es 1/%2</translation>
    </message>
    <message>
        <source>The worker computed its last batch with these weights, and keeps them until it pulls the next ones.</source>
        <translation>Mit diesen Gewichten hat der Worker seinen letzten Batch berechnet, und er behält sie, bis er die nächsten holt.</translation>
    </message>
    <message>
        <source>Busiest link of the servers</source>
        <translation>Meistbelegter Link der Server</translation>
    </message>
    <message>
        <source>busy for %1 % of the time</source>
        <translation>%1 % der Zeit belegt</translation>
    </message>
    <message>
        <source>In its queue</source>
        <translation>Davor angestanden</translation>
    </message>
    <message>
        <source>%1, %2 % of its cycle</source>
        <translation>%1, %2 % seines Zyklus</translation>
    </message>
    <message>
        <source>The link is busy all the time: more workers do not help, they only queue longer.</source>
        <translation>Der Link ist die ganze Zeit belegt: Mehr Worker helfen nicht, sie stehen nur länger an.</translation>
    </message>
    <message>
        <source>has its gradients applied</source>
        <translation>seine Gradienten werden angewandt</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet, bis er an der Reihe ist</translation>
    </message>
    <message>
        <source>of 0 images: zeros</source>
        <translation>von 0 Bildern: Nullen</translation>
    </message>
    <message>
        <source>Variable shard of %1</source>
        <translation>Variablen-Shard von %1</translation>
    </message>
    <message>
        <source>Variables are distributed to the servers in turn, whole and whatever their size: one shard has nearly everything. The setting “partitioner” cuts them up.</source>
        <translation>Variablen werden reihum auf die Server verteilt, ganz und ohne Rücksicht auf ihre Größe: Ein Shard hat fast alles. Die Einstellung „Partitionierer“ zerteilt sie.</translation>
    </message>
    <message>
        <source>Checksum of all servers after step %1</source>
        <translation>Prüfsumme aller Server nach Schritt %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 operations for %Ln images</source>
        <translation>
            <numerusform>%1 Rechenoperationen für %Ln Bild</numerusform>
            <numerusform>%1 Rechenoperationen für %Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Learning rate of step %1</source>
        <translation>Lernrate von Schritt %1</translation>
    </message>
    <message>
        <source>Start-up</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Input pipeline</source>
        <translation>Eingabe-Pipeline</translation>
    </message>
    <message>
        <source>First images of this batch</source>
        <translation>Erste Bilder dieses Batches</translation>
    </message>
    <message>
        <source>Loss of %1</source>
        <translation>Verlust von %1</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Sum of their losses</source>
        <translation>Summe ihrer Verluste</translation>
    </message>
    <message>
        <source>Their mean</source>
        <translation>Ihr Mittelwert</translation>
    </message>
    <message>
        <source>Divided by the global batch</source>
        <translation>Geteilt durch den globalen Batch</translation>
    </message>
    <message>
        <source>Their mean divided by %1 replicas</source>
        <translation>Ihr Mittelwert, geteilt durch %1 Replikate</translation>
    </message>
    <message>
        <source>Sum of the replicas&apos; losses</source>
        <translation>Summe der Verluste der Replikate</translation>
    </message>
    <message>
        <source>reduce(SUM)</source>
        <translation>reduce(SUM): Summe</translation>
    </message>
    <message>
        <source>Mean over all images, as reported</source>
        <translation>Mittelwert über alle Bilder, wie berichtet</translation>
    </message>
    <message>
        <source>Had each divided by its own batch</source>
        <translation>Hätte jedes durch seinen eigenen Batch geteilt</translation>
    </message>
    <message>
        <source>%1: %2 times too large, and so are the gradients</source>
        <translation>%1: %2-mal zu groß, die Gradienten ebenso</translation>
    </message>
    <message>
        <source>Test step</source>
        <translation>Testschritt</translation>
    </message>
    <message>
        <source>Test images</source>
        <translation>Testbilder</translation>
    </message>
    <message>
        <source>Test images are distributed by the same rules as training images. Every replica answers with its own weights; right answers are added, and the sum over all images is the accuracy. No weight changes.</source>
        <translation>Testbilder werden nach denselben Regeln verteilt wie Trainingsbilder. Jedes Replikat antwortet mit seinen eigenen Gewichten; richtige Antworten werden addiert, und die Summe durch alle Bilder ist die Genauigkeit. Kein Gewicht ändert sich.</translation>
    </message>
    <message>
        <source>End of epoch %1</source>
        <translation>Ende der Epoche %1</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Loss of the last step</source>
        <translation>Verlust des letzten Schritts</translation>
    </message>
    <message>
        <source>Recognised</source>
        <translation>Erkannt</translation>
    </message>
    <message>
        <source>the result is not there yet</source>
        <translation>das Ergebnis ist noch nicht da</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>Testverlust</translation>
    </message>
    <message>
        <source>%1 recognised</source>
        <translation>%1 erkannt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Normalises by</source>
        <translation>Normiert mit</translation>
    </message>
    <message numerus="yes">
        <source>mean and variance of all %Ln images, added up over the replicas</source>
        <translation>
            <numerusform>Mittel und Varianz von %Ln Bild, über die Replikate addiert</numerusform>
            <numerusform>Mittel und Varianz aller %Ln Bilder, über die Replikate addiert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>mean and variance of its own %Ln images</source>
        <translation>
            <numerusform>Mittel und Varianz seines %Ln eigenen Bildes</numerusform>
            <numerusform>Mittel und Varianz seiner eigenen %Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>Moving mean after the step</source>
        <translation>Gleitendes Mittel nach dem Schritt</translation>
    </message>
    <message>
        <source>Moving variance after the step</source>
        <translation>Gleitende Varianz nach dem Schritt</translation>
    </message>
    <message>
        <source>Its distance to R0&apos;s</source>
        <translation>Abstand zu dem von R0</translation>
    </message>
    <message>
        <source>Synchronised: the replicas add up their sums before the layer goes on, forwards and again backwards, and all normalise as one device would.</source>
        <translation>Synchronisiert: Die Replikate addieren ihre Summen, ehe die Schicht weitergeht, vorwärts und noch einmal rückwärts, und alle normieren, wie ein einziges Gerät es täte.</translation>
    </message>
    <message>
        <source>Each replica normalises by only its own images: its result is not that of one device with the whole batch.</source>
        <translation>Jedes Replikat normiert nur mit seinen eigenen Bildern: Sein Ergebnis ist nicht das eines einzigen Geräts mit dem ganzen Batch.</translation>
    </message>
    <message>
        <source>Moving statistics are not mirrored variables: each replica has its own, and replica 0&apos;s are evaluated and saved, as in Keras 3.</source>
        <translation>Gleitende Statistiken sind keine gespiegelten Variablen: Jedes Replikat hat seine eigenen; ausgewertet und gespeichert werden die von Replikat 0, wie in Keras 3.</translation>
    </message>
    <message>
        <source>Moving statistics</source>
        <translation>Gleitende Statistiken</translation>
    </message>
    <message>
        <source>like R0&apos;s, bit by bit</source>
        <translation>wie die von R0, Bit für Bit</translation>
    </message>
    <message>
        <source>its own: up to %1 from R0&apos;s</source>
        <translation>eigene: bis zu %1 von denen von R0 entfernt</translation>
    </message>
    <message>
        <source>Sums of a synchronised BatchNormalization, channel by channel. Forwards: sums of its values and of their squares, and how many values there are. Backwards: sums of their gradients. With the sums of all replicas, the layer does what one device with the whole batch would do.</source>
        <translation>Summen einer synchronisierten BatchNormalization, Kanal für Kanal. Vorwärts: Summen der Werte und ihrer Quadrate, und wie viele Werte es sind. Rückwärts: Summen ihrer Gradienten. Mit den Summen aller Replikate tut die Schicht, was ein Gerät mit dem ganzen Batch täte.</translation>
    </message>
    <message>
        <source>Moving statistics are variables on the servers: a worker reads them with the weights and writes what its own batch makes of them. If two workers write at once, the last value stays.</source>
        <translation>Gleitende Statistiken sind Variablen auf den Servern: Ein Worker liest sie mit den Gewichten und schreibt, was sein eigener Batch aus ihnen macht. Schreiben zwei Worker zugleich, bleibt der letzte Wert.</translation>
    </message>
    <message>
        <source>Moving statistics are one variable for all replicas: the mean of their new values is written, once a step, as with tf_keras. Keras 3 fails here.</source>
        <translation>Gleitende Statistiken sind eine Variable für alle Replikate: Geschrieben wird einmal je Schritt der Mittelwert ihrer neuen Werte, wie mit tf_keras. Keras 3 scheitert hier.</translation>
    </message>
    <message>
        <source>%1, not trained</source>
        <translation>%1, nicht trainiert</translation>
    </message>
    <message>
        <source>Trained, total</source>
        <translation>Trainiert, insgesamt</translation>
    </message>
    <message>
        <source>Arithmetic, on paper</source>
        <translation>Rechenaufwand, auf dem Papier</translation>
    </message>
    <message>
        <source>On paper, forwards and backwards: a multiplication and an addition count as two.</source>
        <translation>Auf dem Papier, vorwärts und rückwärts: Eine Multiplikation und eine Addition zählen als zwei.</translation>
    </message>
    <message>
        <source>Backwards, kernels may leave out what is zero, such as three of four gradients behind max pooling.</source>
        <translation>Rückwärts dürfen Kernel weglassen, was null ist, etwa drei von vier Gradienten hinter dem Max-Pooling.</translation>
    </message>
    <message>
        <source>%1 GB/s effective, modelled</source>
        <translation>%1 GB/s effektiv, modelliert</translation>
    </message>
    <message>
        <source>Feature map %1</source>
        <translation>Merkmalskarte %1</translation>
    </message>
    <message>
        <source>Unit %1</source>
        <translation>Einheit %1</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <translation>%1, auf %2</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>%1, for this one</source>
        <translation>%1, für diese</translation>
    </message>
    <message>
        <source>On the stage: what it makes of the image that is shown. Point at a value to see its sum.</source>
        <translation>Auf der Bühne: was sie aus dem gezeigten Bild macht. Zeigen Sie auf einen Wert, um seine Summe zu sehen.</translation>
    </message>
    <message>
        <source>Left out of the sum: too late</source>
        <translation>Nicht in der Summe: zu spät</translation>
    </message>
    <message>
        <source>Both copies after the step</source>
        <translation>Beide Kopien nach dem Schritt</translation>
    </message>
    <message>
        <source>Part %1 of %2 of %3&apos;s gradient, from the left</source>
        <translation>Teil %1 von %2 des Gradienten von %3, von links</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Memory without activations</source>
        <translation>Speicher ohne Aktivierungen</translation>
    </message>
    <message>
        <source>times were not recorded</source>
        <translation>Zeiten wurden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>is averaged with what is there</source>
        <translation>wird mit dem gemittelt, was dort ist</translation>
    </message>
    <message>
        <source>The average, for five of the values: what was there, what %1 sends → what is there then</source>
        <translation>Die Mittelung bei fünf der Werte: was dort war, was %1 sendet → was dann dort ist</translation>
    </message>
    <message>
        <source>Weights of %1, being averaged</source>
        <translation>Gewichte von %1, werden gemittelt</translation>
    </message>
    <message>
        <source>Part %1 of %2 of %3&apos;s weights, from the left</source>
        <translation>Teil %1 von %2 der Gewichte von %3, von links</translation>
    </message>
    <message>
        <source>What it keeps between passes. During a pass it also has all weights, and all gradients until they are summed.</source>
        <translation>Was es zwischen Durchläufen hält. Während eines Durchlaufs hat es außerdem alle Gewichte und, bis sie summiert sind, alle Gradienten.</translation>
    </message>
    <message>
        <source>What it keeps between passes. During a pass it also has all gradients, until they are summed.</source>
        <translation>Was es zwischen Durchläufen hält. Während eines Durchlaufs hat es außerdem alle Gradienten, bis sie summiert sind.</translation>
    </message>
    <message>
        <source>Modelled: what such a device needs at least. This program computes in buffers of its own, %1 between steps, measured: some kernels pool an output as they make it, all keep what they have allocated from step to step, and packs are summed in place.</source>
        <translation>Modelliert: was ein solches Gerät mindestens braucht. Dieses Programm rechnet in eigenen Puffern, zwischen den Schritten %1, gemessen: Manche Kernel poolen eine Ausgabe, während sie entsteht, alle behalten von Schritt zu Schritt, was sie angelegt haben, und Pakete werden an ihrem Ort summiert.</translation>
    </message>
    <message>
        <source>Measured: this program&apos;s own buffers, as they are allocated and freed. The model counts more activations, because some kernels pool an output as they make it. The model frees them, which the kernels do not, and it copies packs, which are summed in place here.</source>
        <translation>Gemessen: die eigenen Puffer dieses Programms, wie sie angelegt und freigegeben werden. Das Modell zählt mehr Aktivierungen, denn manche Kernel poolen eine Ausgabe, während sie entsteht. Das Modell gibt sie frei, was die Kernel nicht tun, und es kopiert Pakete, die hier an ihrem Ort summiert werden.</translation>
    </message>
    <message>
        <source>Memory kept between steps</source>
        <translation>Speicher, zwischen Schritten gehalten</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>This program keeps one copy of the variables for all %1 replicas. On real devices each would have its own, equal to this one.</source>
        <translation>Dieses Programm hält eine Kopie der Variablen für alle %1 Replikate. Auf echten Geräten hätte jedes seine eigene, gleich dieser.</translation>
    </message>
    <message>
        <source>Mean over the images that count, as reported</source>
        <translation>Mittelwert über die Bilder, die zählen, wie berichtet</translation>
    </message>
    <message>
        <source>%1: too large, and so are the gradients</source>
        <translation>%1: zu groß, die Gradienten ebenso</translation>
    </message>
    <message>
        <source>Test images are distributed by the same rules as training images. Every replica answers with the mean of all copies; right answers are added, and the sum over all images is the accuracy. No weight changes.</source>
        <translation>Testbilder werden nach denselben Regeln verteilt wie Trainingsbilder. Jedes Replikat antwortet mit dem Mittelwert aller Kopien; richtige Antworten werden addiert, und die Summe durch alle Bilder ist die Genauigkeit. Kein Gewicht ändert sich.</translation>
    </message>
    <message>
        <source>%1: no difference, with one replica in the sum</source>
        <translation>%1: kein Unterschied, mit nur einem Replikat in der Summe</translation>
    </message>
    <message>
        <source>Their mean: no other replica counts</source>
        <translation>Ihr Mittelwert: Kein anderes Replikat zählt</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Peak memory, modelled</source>
        <translation>Speicher höchstens, modelliert</translation>
    </message>
    <message>
        <source>Peak memory, measured</source>
        <translation>Speicher höchstens, gemessen</translation>
    </message>
    <message>
        <source>it has %1, which first runs out in “%2”</source>
        <translation>es hat %1; zum ersten Mal reicht das nicht bei „%2“</translation>
    </message>
    <message>
        <source>The server alone answers, with the weights after this step, and counts the right answers: the workers have no test images. No weight changes.</source>
        <translation>Der Server antwortet allein, mit den Gewichten nach diesem Schritt, und zählt die richtigen Antworten: Die Worker haben keine Testbilder. Kein Gewicht ändert sich.</translation>
    </message>
    <message>
        <source>%1; worker %2 has taken its closure</source>
        <translation>%1; Worker %2 hat seine Closure übernommen</translation>
    </message>
    <message>
        <source>The step was given up before any update: this copy is still as it was when the step began.</source>
        <translation>Der Schritt wurde vor dem Update aufgegeben: Diese Kopie ist noch so, wie sie zu Beginn des Schritts war.</translation>
    </message>
    <message>
        <source>Distance to the copy on CPU:0</source>
        <translation>Abstand zur Kopie auf CPU:0</translation>
    </message>
    <message>
        <source>Too late: the step has left this gradient out.</source>
        <translation>Zu spät: Der Schritt hat diesen Gradienten ausgelassen.</translation>
    </message>
    <message>
        <source>A sum of copies, each weighed by its share of the images; divided by %1 at the end, it is their mean.</source>
        <translation>Eine Summe von Kopien, jede mit ihrem Anteil an den Bildern gewichtet; am Ende durch %1 geteilt, ist sie ihr Mittel.</translation>
    </message>
    <message>
        <source>is applied to the variables there</source>
        <translation>wird auf die Variablen dort angewandt</translation>
    </message>
    <message>
        <source>All share the test images and answer with the only copy of the weights; right answers are added, and divided by the number of images they are the accuracy. No weight changes.</source>
        <translation>Alle teilen sich die Testbilder und antworten mit der einzigen Kopie der Gewichte; richtige Antworten werden addiert, und geteilt durch die Zahl der Bilder sind sie die Genauigkeit. Kein Gewicht ändert sich.</translation>
    </message>
</context>
<context>
    <name>lab::DeskParts</name>
    <message>
        <source>Show this view</source>
        <translation>Diese Ansicht zeigen</translation>
    </message>
</context>
<context>
    <name>lab::DifferenceSearch</name>
    <message>
        <source>The search for differences compares two lanes step by step: set Align by to step.</source>
        <translation>Die Suche nach Unterschieden vergleicht zwei Bahnen Schritt für Schritt: Stellen Sie „Ausrichten nach“ auf Schritt.</translation>
    </message>
    <message>
        <source>No other lane can run.</source>
        <translation>Keine andere Bahn kann laufen.</translation>
    </message>
    <message>
        <source>The search ended at step %1.</source>
        <translation>Die Suche endete bei Schritt %1.</translation>
    </message>
    <message>
        <source>Looking at step %1 …</source>
        <translation>Schritt %1 wird untersucht …</translation>
    </message>
    <message>
        <source>No lane&apos;s weights begin to differ before step %1.</source>
        <translation>In keiner Bahn beginnen die Gewichte vor Schritt %1, sich zu unterscheiden.</translation>
    </message>
    <message>
        <source>No lane&apos;s weights begin to differ from here up to step %1.</source>
        <translation>In keiner Bahn beginnen die Gewichte von hier bis Schritt %1, sich zu unterscheiden.</translation>
    </message>
    <message>
        <source>The weights of %1 differ first after step %2.</source>
        <translation>Die Gewichte von %1 unterscheiden sich zuerst nach Schritt %2.</translation>
    </message>
    <message>
        <source>The weights of %1 are those of %2 up to step %3.</source>
        <translation>Die Gewichte von %1 sind bis Schritt %3 die von %2.</translation>
    </message>
</context>
<context>
    <name>lab::DigitPad</name>
    <message>
        <source>pen down</source>
        <translation>Stift aufgesetzt</translation>
    </message>
    <message>
        <source>pen up</source>
        <translation>Stift gehoben</translation>
    </message>
    <message>
        <source>Pad to draw on</source>
        <translation>Zeichenfläche</translation>
    </message>
    <message>
        <source>Draw, or drop a picture here; Delete clears the pad. With the keyboard: arrows move the pen, Space puts it down and lifts it</source>
        <translation>Zeichnen Sie, oder ziehen Sie ein Bild hierher; Entf leert die Fläche. Mit der Tastatur: Pfeiltasten bewegen den Stift, die Leertaste setzt ihn auf und hebt ihn ab</translation>
    </message>
    <message>
        <source>A digit that is drawn here is scaled and centred like the data set&apos;s digits, and given to the network with the weights of the step on the stage. A picture that is dropped here is scaled to the network&apos;s images; a network of colour images sees its colours.</source>
        <translation>Eine Ziffer, die hier gezeichnet wird, wird wie die Ziffern des Datensatzes skaliert und zentriert und dem Netz mit den Gewichten des Schritts auf der Bühne gegeben. Ein Bild, das hierher gezogen wird, wird auf die Größe der Bilder des Netzes gebracht; ein Netz für farbige Bilder sieht seine Farben.</translation>
    </message>
    <message>
        <source>%1 is not a picture that can be read here: %2. Drop a PNG or JPEG file.</source>
        <translation>%1 ist kein Bild, das hier gelesen werden kann: %2. Nehmen Sie eine PNG- oder JPEG-Datei.</translation>
    </message>
    <message>
        <source>Draw, or drop a picture</source>
        <translation>Zeichnen oder Bild hierher ziehen</translation>
    </message>
</context>
<context>
    <name>lab::Document</name>
    <message>
        <source>Untitled</source>
        <translation>Unbenannt</translation>
    </message>
    <message>
        <source>Settings that this version does not know, which are kept unchanged: %1. Update StrategyLab to use them.</source>
        <translation>Einstellungen, die diese Version nicht kennt und unverändert aufbewahrt: %1. Aktualisieren Sie StrategyLab, um sie zu nutzen.</translation>
    </message>
    <message>
        <source>the last session</source>
        <translation>die letzte Sitzung</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>%1 is not saved: another window or program has changed the file since it was opened or saved here. Save under another name, or replace the file.</source>
        <translation>%1 ist nicht gespeichert: Ein anderes Fenster oder Programm hat die Datei geändert, seit sie hier geöffnet oder gespeichert wurde. Speichern Sie unter einem anderen Namen oder ersetzen Sie die Datei.</translation>
    </message>
</context>
<context>
    <name>lab::DragOut</name>
    <message numerus="yes">
        <source>%Ln steps</source>
        <translation>
            <numerusform>%Ln Schritt</numerusform>
            <numerusform>%Ln Schritte</numerusform>
        </translation>
    </message>
    <message>
        <source>last loss %1</source>
        <translation>letzter Verlust %1</translation>
    </message>
    <message>
        <source>test accuracy %1 %</source>
        <translation>Testgenauigkeit %1 %</translation>
    </message>
</context>
<context>
    <name>lab::Experiment</name>
    <message>
        <source>Not used with %1, and kept for later: %2.</source>
        <translation>Mit %1 nicht verwendet und für später gemerkt: %2.</translation>
    </message>
    <message numerus="yes">
        <source>Each worker takes its own batch of %Ln images.</source>
        <translation>
            <numerusform>Jeder Worker nimmt einen eigenen Batch von %Ln Bild.</numerusform>
            <numerusform>Jeder Worker nimmt einen eigenen Batch von %Ln Bildern.</numerusform>
        </translation>
    </message>
    <message>
        <source>Does not fit the other settings, and is kept for later: %1.</source>
        <translation>Passt nicht zu den anderen Einstellungen und ist für später gemerkt: %1.</translation>
    </message>
</context>
<context>
    <name>lab::Exports</name>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>E&amp;xportieren</translation>
    </message>
    <message>
        <source>Export the window</source>
        <translation>Fenster exportieren</translation>
    </message>
    <message>
        <source>The window as a &amp;picture…</source>
        <translation>Das Fenster als &amp;Bild …</translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation>Bilder (*.png)</translation>
    </message>
    <message>
        <source>The window as PDF, to p&amp;rint…</source>
        <translation>Das Fenster als PDF, zum D&amp;rucken …</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>This step as a p&amp;oster…</source>
        <translation>Dieser Schritt als P&amp;oster …</translation>
    </message>
    <message>
        <source>A beat as a &amp;movie…</source>
        <translation>Ein Takt als &amp;Film …</translation>
    </message>
    <message>
        <source>The table of &amp;runs…</source>
        <translation>Die Tabelle der &amp;Läufe …</translation>
    </message>
    <message>
        <source>PDF, A3 (*.pdf)</source>
        <translation>PDF, A3 (*.pdf)</translation>
    </message>
    <message>
        <source>PDF, 16:9 (*.pdf)</source>
        <translation>PDF, 16:9 (*.pdf)</translation>
    </message>
    <message>
        <source>SVG, A3 (*.svg)</source>
        <translation>SVG, A3 (*.svg)</translation>
    </message>
    <message>
        <source>SVG, 16:9 (*.svg)</source>
        <translation>SVG, 16:9 (*.svg)</translation>
    </message>
    <message>
        <source>Export the poster</source>
        <translation>Poster exportieren</translation>
    </message>
    <message>
        <source>poster</source>
        <translation>Poster</translation>
    </message>
    <message>
        <source>Export the table of runs</source>
        <translation>Die Tabelle der Läufe exportieren</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
</context>
<context>
    <name>lab::FaultMenu</name>
    <message>
        <source>K&amp;ill or revive a task…</source>
        <translation>Task töten oder w&amp;iederbeleben …</translation>
    </message>
    <message>
        <source>Tasks of MultiWorkerMirrored and ParameterServer can die. A run in one process has no other task: if it dies, the program ends.</source>
        <translation>Tasks von MultiWorkerMirrored und ParameterServer können sterben. Ein Lauf in einem Prozess hat keine andere Task: Stirbt er, endet das Programm.</translation>
    </message>
    <message>
        <source>What happens when a task dies is modelled for MultiWorkerMirrored and ParameterServer, not for this strategy.</source>
        <translation>Was geschieht, wenn eine Task stirbt, ist für MultiWorkerMirrored und ParameterServer modelliert, nicht für diese Strategie.</translation>
    </message>
    <message>
        <source>Kill or revive a task</source>
        <translation>Task töten oder wiederbeleben</translation>
    </message>
    <message>
        <source>Real processes can be killed only in the window&apos;s run, the first lane.</source>
        <translation>Echte Prozesse lassen sich nur im Lauf des Fensters beenden, der ersten Bahn.</translation>
    </message>
    <message>
        <source>One process: no task can die alone</source>
        <translation>Ein Prozess: Keine Task kann allein sterben</translation>
    </message>
    <message>
        <source>Faults are not modelled for this strategy</source>
        <translation>Für diese Strategie sind Ausfälle nicht modelliert</translation>
    </message>
    <message>
        <source>No fault is possible here</source>
        <translation>Hier ist kein Ausfall möglich</translation>
    </message>
    <message>
        <source>No longer possible: %1</source>
        <translation>Nicht mehr möglich: %1</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>Weiter ab Schritt %1</translation>
    </message>
    <message>
        <source>mpirun ends worker %1 on its host</source>
        <translation>mpirun beendet Worker %1 auf seinem Host</translation>
    </message>
    <message>
        <source>Worker %1 was killed</source>
        <translation>Worker %1 wurde beendet</translation>
    </message>
    <message>
        <source>Worker %1 cannot be killed from here.</source>
        <translation>Worker %1 lässt sich von hier nicht beenden.</translation>
    </message>
</context>
<context>
    <name>lab::FileDesk</name>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Save the experiment?</source>
        <translation>Experiment speichern?</translation>
    </message>
    <message>
        <source>%1 has been changed since it was saved.</source>
        <translation>%1 wurde seit dem Speichern geändert.</translation>
    </message>
    <message>
        <source>Quit?</source>
        <translation>Beenden?</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Stay</source>
        <translation>&amp;Bleiben</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>Experiment speichern</translation>
    </message>
    <message>
        <source>Experiments (*.slab)</source>
        <translation>Experimente (*.slab)</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Zu&amp;letzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save the run&apos;s re&amp;cording…</source>
        <translation>Auf&amp;zeichnung des Laufs speichern …</translation>
    </message>
    <message>
        <source>Save the recording of the run on the stage</source>
        <translation>Aufzeichnung des Laufs auf der Bühne speichern</translation>
    </message>
    <message>
        <source>Recordings (*.run)</source>
        <translation>Aufzeichnungen (*.run)</translation>
    </message>
    <message>
        <source>Copy experiment &amp;link</source>
        <translation>&amp;Link zum Experiment kopieren</translation>
    </message>
    <message>
        <source>Copied: a line of text that begins this experiment wherever it is pasted</source>
        <translation>Kopiert: eine Textzeile, die dieses Experiment beginnt, wo immer sie eingefügt wird</translation>
    </message>
    <message>
        <source>&amp;Paste experiment link</source>
        <translation>Link zum Experiment &amp;einfügen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a picture that can be read.</source>
        <translation>„%1“ ist kein lesbares Bild.</translation>
    </message>
    <message>
        <source>Only recordings and tables are opened several at a time. Of the other files %1 was taken; drop these by themselves: %2.</source>
        <translation>Nur von Aufzeichnungen und Tabellen werden mehrere zugleich geöffnet. Von den anderen Dateien wurde %1 genommen; ziehen Sie diese einzeln auf das Fenster: %2.</translation>
    </message>
    <message>
        <source>Experiments, recordings, tables, lessons (*.slab *.run *.csv *.lesson);;Networks, weights, traces, pictures (*.keras *.json *.json.gz *.safetensors *.png *.jpg *.jpeg);;All files (*)</source>
        <translation>Experimente, Aufzeichnungen, Tabellen, Lektionen (*.slab *.run *.csv *.lesson);;Netze, Gewichte, Traces, Bilder (*.keras *.json *.json.gz *.safetensors *.png *.jpg *.jpeg);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>lab::FilterGrid</name>
    <message>
        <source>What the units of the first layer look for</source>
        <translation>Wonach die Einheiten der ersten Schicht suchen</translation>
    </message>
    <message>
        <source>the weights of red, green and blue; grey is zero, one scale for all</source>
        <translation>die Gewichte von Rot, Grün und Blau; Grau ist null, eine Skala für alle</translation>
    </message>
    <message numerus="yes">
        <source>The %Ln filters of %1, %2 each: %3</source>
        <translation>
            <numerusform>Der %Ln Filter von %1, %2: %3</numerusform>
            <numerusform>Die %Ln Filter von %1, je %2: %3</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %Ln units of %1, and how each weighs the %2 pixels: %3</source>
        <translation>
            <numerusform>Die %Ln Einheit von %1, und wie sie die %2 Pixel gewichtet: %3</numerusform>
            <numerusform>Die %Ln Einheiten von %1, und wie jede die %2 Pixel gewichtet: %3</numerusform>
        </translation>
    </message>
    <message>
        <source>purple below zero, green above, one scale for all</source>
        <translation>unter null violett, darüber grün, eine Skala für alle</translation>
    </message>
</context>
<context>
    <name>lab::FirstChanges</name>
    <message>
        <source>a faster device, or bfloat16</source>
        <translation>ein schnelleres Gerät oder bfloat16</translation>
    </message>
    <message>
        <source>a faster link, another reducer, or smaller packs behind the backward pass</source>
        <translation>ein schnellerer Link, eine andere Reduktion oder kleinere Pakete während des Rückwärtsdurchlaufs</translation>
    </message>
    <message>
        <source>devices of one speed, or backup workers</source>
        <translation>gleich schnelle Geräte oder Reserve-Worker</translation>
    </message>
    <message>
        <source>more hosts, or examples prepared ahead</source>
        <translation>mehr Hosts oder im Voraus vorbereitete Beispiele</translation>
    </message>
    <message>
        <source>larger batches, or fewer kernels</source>
        <translation>größere Batches oder weniger Kernel</translation>
    </message>
    <message>
        <source>more parameter servers, or a faster link to them</source>
        <translation>mehr Parameterserver oder ein schnellerer Link zu ihnen</translation>
    </message>
    <message>
        <source>backups from which a dead task restarts sooner</source>
        <translation>Sicherungen, mit denen eine tote Task früher neu beginnt</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <comment>a part of the time, its share, what helps</comment>
        <translation>%1 %2 (%3)</translation>
    </message>
    <message>
        <source>What to change first, and how much of the step that saves at most: %1.</source>
        <translation>Was zuerst zu ändern ist, und wie viel vom Schritt das höchstens spart: %1.</translation>
    </message>
    <message>
        <source>a faster link to the parameter servers, or larger batches</source>
        <translation>eine schnellere Verbindung zu den Parameterservern oder größere Batches</translation>
    </message>
    <message>
        <source>a faster link, or another reducer</source>
        <translation>ein schnellerer Link oder eine andere Reduktion</translation>
    </message>
    <message>
        <source>a faster link, or smaller packs behind the backward pass</source>
        <translation>ein schnellerer Link oder kleinere Pakete während des Rückwärtsdurchlaufs</translation>
    </message>
    <message>
        <source>a faster link</source>
        <translation>ein schnellerer Link</translation>
    </message>
    <message>
        <source>a faster device</source>
        <translation>ein schnelleres Gerät</translation>
    </message>
    <message>
        <source>a copy of the variables on each device, as under Mirrored</source>
        <translation>eine Kopie der Variablen auf jedem Gerät, wie unter Mirrored</translation>
    </message>
</context>
<context>
    <name>lab::ForeignTracks</name>
    <message>
        <source>TensorFlow&apos;s profiler</source>
        <translation>TensorFlows Profiler</translation>
    </message>
    <message>
        <source>PyTorch&apos;s profiler</source>
        <translation>PyTorchs Profiler</translation>
    </message>
    <message>
        <source>another program</source>
        <translation>einem anderen Programm</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Shows only the run&apos;s own trace again</source>
        <translation>Zeigt wieder nur den Trace des Laufs</translation>
    </message>
    <message>
        <source>Close the other trace</source>
        <translation>Den anderen Trace schließen</translation>
    </message>
    <message>
        <source>Trace of another program</source>
        <translation>Trace eines anderen Programms</translation>
    </message>
    <message numerus="yes">
        <source>by %1 · %Ln slices, on a time axis of their own</source>
        <translation>
            <numerusform>von %1 · %Ln Balken auf eigener Zeitachse</numerusform>
            <numerusform>von %1 · %Ln Balken auf eigener Zeitachse</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %Ln slices cannot be read</source>
        <translation>
            <numerusform> · %Ln Balken ist nicht lesbar</numerusform>
            <numerusform> · %Ln Balken sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %Ln slices have no room</source>
        <translation>
            <numerusform> · %Ln Balken hat keinen Platz</numerusform>
            <numerusform> · %Ln Balken haben keinen Platz</numerusform>
        </translation>
    </message>
    <message>
        <source>by %1</source>
        <comment>a program</comment>
        <translation>laut %1</translation>
    </message>
</context>
<context>
    <name>lab::GalleryView</name>
    <message>
        <source>Gallery of experiments</source>
        <translation>Galerie der Experimente</translation>
    </message>
    <message>
        <source>Prepared experiments, each with what it shows. A click starts it; Undo brings your own experiment back.</source>
        <translation>Vorbereitete Experimente, jedes mit dem, was es zeigt. Ein Klick startet es; Rückgängig bringt Ihr eigenes zurück.</translation>
    </message>
</context>
<context>
    <name>lab::GlossaryView</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>Im Glossar suchen</translation>
    </message>
    <message>
        <source>Words of the glossary</source>
        <translation>Wörter des Glossars</translation>
    </message>
    <message>
        <source>See also</source>
        <translation>Siehe auch</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeig es mir</translation>
    </message>
    <message>
        <source>Leads to a moment that shows this word. Undo brings your experiment back.</source>
        <translation>Führt zu einem Moment, der dieses Wort zeigt. Rückgängig bringt Ihr Experiment zurück.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>No word or explanation here has these letters.</source>
        <translation>Kein Wort hier und keine Erklärung enthält diese Buchstaben.</translation>
    </message>
    <message>
        <source>In TensorFlow: %1</source>
        <translation>In TensorFlow: %1</translation>
    </message>
    <message>
        <source>Searches the words of the glossary, their explanations, and TensorFlow&apos;s names.</source>
        <translation>Durchsucht die Wörter des Glossars, ihre Erklärungen und TensorFlows Namen.</translation>
    </message>
    <message>
        <source>The words of the course. Enter shows a moment for the chosen word.</source>
        <translation>Die Wörter des Kurses. Enter zeigt einen Moment zum gewählten Wort.</translation>
    </message>
</context>
<context>
    <name>lab::GuidePaths</name>
    <message>
        <source>Next moment</source>
        <translation>Nächster Moment</translation>
    </message>
    <message>
        <source>Look: %1</source>
        <translation>Schauen Sie: %1</translation>
    </message>
    <message>
        <source>Back to the quiz</source>
        <translation>Zurück zum Quiz</translation>
    </message>
    <message>
        <source>Back to the gallery</source>
        <translation>Zurück zur Galerie</translation>
    </message>
    <message>
        <source>Back to the glossary</source>
        <translation>Zurück zum Glossar</translation>
    </message>
</context>
<context>
    <name>lab::Handbook</name>
    <message>
        <source>Handbook</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Search: Enter next, Shift+Enter back</source>
        <translation>Suchen: Enter weiter, Umschalt+Enter zurück</translation>
    </message>
    <message>
        <source>Search in the handbook</source>
        <translation>Im Handbuch suchen</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Not in the handbook</source>
        <translation>Steht nicht im Handbuch</translation>
    </message>
</context>
<context>
    <name>lab::HeatMap</name>
    <message>
        <source>Values as colours</source>
        <translation>Werte als Farben</translation>
    </message>
</context>
<context>
    <name>lab::Inspector</name>
    <message>
        <source>Variable</source>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Which variable of the network is shown</source>
        <translation>Welche Variable des Netzes gezeigt wird</translation>
    </message>
    <message>
        <source>Scale of the colours</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>Where the colours end: at the largest value of this variable, or of all</source>
        <translation>Wo die Farben enden: beim größten Wert dieser Variablen oder aller</translation>
    </message>
    <message>
        <source>scale: this variable</source>
        <translation>Skala: diese Variable</translation>
    </message>
    <message>
        <source>scale: all of them</source>
        <translation>Skala: alle</translation>
    </message>
    <message>
        <source>Slow it down by</source>
        <translation>Verlangsamen um</translation>
    </message>
    <message>
        <source>How many times slower this device computes: a straggler</source>
        <translation>Wievielmal langsamer dieses Gerät rechnet: ein Nachzügler</translation>
    </message>
    <message>
        <source> ×</source>
        <translation> ×</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>Modelled times</source>
        <translation>Modellierte Zeiten</translation>
    </message>
    <message>
        <source>On the stage</source>
        <translation>Auf der Bühne</translation>
    </message>
    <message>
        <source>Latest</source>
        <translation>Neuester Stand</translation>
    </message>
    <message>
        <source>Point at anything on the stage to see what it is; click to keep it here: an image, a gradient, weights, a layer, a device, a link, a variable shard.</source>
        <translation>Zeigen Sie auf der Bühne auf etwas, um zu sehen, was es ist; ein Klick hält es hier fest: ein Bild, einen Gradienten, Gewichte, eine Schicht, ein Gerät, einen Link, einen Variablen-Shard.</translation>
    </message>
</context>
<context>
    <name>lab::Invitation</name>
    <message>
        <source>Join the class</source>
        <translation>Der Klasse beitreten</translation>
    </message>
    <message>
        <source>QR code of the class</source>
        <translation>QR-Code der Klasse</translation>
    </message>
    <message>
        <source>The class is being prepared…</source>
        <translation>Die Klasse wird vorbereitet …</translation>
    </message>
    <message>
        <source>Nobody has joined yet</source>
        <translation>Noch niemand ist beigetreten</translation>
    </message>
    <message numerus="yes">
        <source>%Ln have joined: %1</source>
        <translation>
            <numerusform>%Ln ist beigetreten: %1</numerusform>
            <numerusform>%Ln sind beigetreten: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>All who joined have left</source>
        <translation>Alle, die da waren, sind gegangen</translation>
    </message>
</context>
<context>
    <name>lab::KeptComparison</name>
    <message>
        <source>lane %1 of Compare added</source>
        <translation>Bahn %1 zum Vergleich hinzugefügt</translation>
    </message>
    <message>
        <source>lane %1 of Compare closed</source>
        <translation>Bahn %1 des Vergleichs geschlossen</translation>
    </message>
    <message>
        <source>how the lanes of Compare are arranged</source>
        <translation>wie die Bahnen im Vergleich angeordnet sind</translation>
    </message>
    <message>
        <source>lanes of Compare</source>
        <translation>Bahnen des Vergleichs</translation>
    </message>
    <message>
        <source>Undone: %1.</source>
        <translation>Rückgängig gemacht: %1.</translation>
    </message>
    <message>
        <source>Redone: %1.</source>
        <translation>Wiederholt: %1.</translation>
    </message>
    <message>
        <source>The branch&apos;s parent</source>
        <translation>Elternlauf des Zweigs</translation>
    </message>
    <message numerus="yes">
        <source>This file has %Ln lanes beside its run.</source>
        <translation>
            <numerusform>Diese Datei hat %Ln Bahn neben ihrem Lauf.</numerusform>
            <numerusform>Diese Datei hat %Ln Bahnen neben ihrem Lauf.</numerusform>
        </translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>This file holds a branch (%1). Its parent is beside it in Compare.</source>
        <translation>Diese Datei enthält einen Zweig (%1). Sein Elternlauf steht unter „Vergleichen“ daneben.</translation>
    </message>
</context>
<context>
    <name>lab::KeptSession</name>
    <message>
        <source>settings and the progress in lessons cannot be stored: &apos;%1&apos; cannot be written. Make room, or check that the folder may be written to.</source>
        <translation>Einstellungen und der Fortschritt in den Lektionen lassen sich nicht speichern: „%1“ lässt sich nicht schreiben. Schaffen Sie Platz, oder prüfen Sie, ob in den Ordner geschrieben werden darf.</translation>
    </message>
    <message>
        <source>When StrategyLab was last closed, the window showed: %1.</source>
        <translation>Als StrategyLab zuletzt geschlossen wurde, zeigte das Fenster: %1.</translation>
    </message>
    <message>
        <source>Another window of StrategyLab holds the session. This window has opened its own session again.</source>
        <translation>Ein anderes Fenster von StrategyLab hat die Sitzung. Dieses Fenster hat seine eigene Sitzung wieder geöffnet.</translation>
    </message>
    <message>
        <source>Another window of StrategyLab holds the session, so this one starts empty.</source>
        <translation>Ein anderes Fenster von StrategyLab hat die Sitzung, deshalb beginnt dieses leer.</translation>
    </message>
    <message>
        <source>Open a copy</source>
        <translation>Eine Kopie öffnen</translation>
    </message>
    <message>
        <source>The other window has stored nothing yet.</source>
        <translation>Das andere Fenster hat noch nichts gespeichert.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message numerus="yes">
        <source>A class is being served, with %Ln workers. The lesson ends for them.</source>
        <translation>
            <numerusform>Eine Klasse trainiert, mit %Ln Worker. Für sie endet die Stunde.</numerusform>
            <numerusform>Eine Klasse trainiert, mit %Ln Workern. Für sie endet die Stunde.</numerusform>
        </translation>
    </message>
    <message>
        <source>Training is under way, at step %1 of %2. Its curves are kept; its weights are lost.</source>
        <translation>Es wird trainiert, bei Schritt %1 von %2. Die Kurven bleiben erhalten, die Gewichte gehen verloren.</translation>
    </message>
    <message>
        <source>A run is paused at step %1 of %2. Its curves are kept; its weights are lost.</source>
        <translation>Ein Lauf ist bei Schritt %1 von %2 angehalten. Seine Kurven bleiben erhalten, seine Gewichte gehen verloren.</translation>
    </message>
    <message numerus="yes">
        <source>A sweep is under way: %1 of %Ln runs ended. What ended is kept; what is under way is lost.</source>
        <translation>
            <numerusform>Ein Sweep läuft: %1 von %Ln Lauf ist beendet. Was beendet ist, bleibt; was läuft, geht verloren.</numerusform>
            <numerusform>Ein Sweep läuft: %1 von %Ln Läufen sind beendet. Was beendet ist, bleibt; was läuft, geht verloren.</numerusform>
        </translation>
    </message>
    <message>
        <source>A movie is being written. It will be lost.</source>
        <translation>Ein Film wird geschrieben. Er geht verloren.</translation>
    </message>
    <message>
        <source>%1 Close the window again to quit anyway.</source>
        <translation>%1 Schließen Sie das Fenster noch einmal, um trotzdem zu beenden.</translation>
    </message>
</context>
<context>
    <name>lab::KeyEditor</name>
    <message>
        <source>Change keys</source>
        <translation>Tasten ändern</translation>
    </message>
    <message>
        <source>Find an action</source>
        <translation>Aktion suchen</translation>
    </message>
    <message>
        <source>Actions and their keys</source>
        <translation>Aktionen und ihre Tasten</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>New key: press it here</source>
        <translation>Neue Taste: hier drücken</translation>
    </message>
    <message>
        <source>&amp;New key</source>
        <translation>&amp;Neue Taste</translation>
    </message>
    <message>
        <source>&amp;Use it</source>
        <translation>&amp;Verwenden</translation>
    </message>
    <message>
        <source>Give this key to the selected action</source>
        <translation>Diese Taste der gewählten Aktion geben</translation>
    </message>
    <message>
        <source>N&amp;one</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>Take the key away from the selected action</source>
        <translation>Der gewählten Aktion die Taste nehmen</translation>
    </message>
    <message>
        <source>&amp;Standard</source>
        <translation>&amp;Standard</translation>
    </message>
    <message>
        <source>Give the selected action its usual keys again</source>
        <translation>Der gewählten Aktion wieder ihre üblichen Tasten geben</translation>
    </message>
    <message>
        <source>&amp;All standard</source>
        <translation>&amp;Alle Standard</translation>
    </message>
    <message>
        <source>Give all actions their usual keys again</source>
        <translation>Allen Aktionen wieder ihre üblichen Tasten geben</translation>
    </message>
    <message>
        <source>Usually: %1</source>
        <translation>Üblich: %1</translation>
    </message>
    <message>
        <source>no key</source>
        <translation>keine Taste</translation>
    </message>
    <message>
        <source>%1 cannot be used: keys with Meta belong to the desktop.</source>
        <translation>%1 lässt sich nicht verwenden: Tasten mit Meta gehören der Arbeitsumgebung.</translation>
    </message>
    <message>
        <source>“%2” uses %1 now and would lose this key.</source>
        <translation>„%2“ benutzt jetzt %1 und verlöre diese Taste.</translation>
    </message>
    <message>
        <source>%1 is free.</source>
        <translation>%1 ist frei.</translation>
    </message>
</context>
<context>
    <name>lab::Lane</name>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln Replikat</numerusform>
            <numerusform>%Ln Replikate</numerusform>
        </translation>
    </message>
    <message>
        <source>Its workers cannot share the global batch equally. Choose a batch that their number divides.</source>
        <translation>Ihre Worker können den globalen Batch nicht gleichmäßig teilen. Wählen Sie einen Batch, der durch ihre Zahl teilbar ist.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln Worker</numerusform>
            <numerusform>%Ln Worker</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::LaneCharts</name>
    <message>
        <source>&amp;Over</source>
        <translation>&amp;Über</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Accuracy, %</source>
        <translation>Genauigkeit, %</translation>
    </message>
    <message>
        <source>Difference in loss</source>
        <translation>Unterschied im Verlust</translation>
    </message>
    <message>
        <source>Difference in accuracy, points</source>
        <translation>Unterschied der Genauigkeit, Punkte</translation>
    </message>
    <message>
        <source>%1 − %2</source>
        <translation>%1 − %2</translation>
    </message>
    <message>
        <source>Steps or images</source>
        <translation>Schritte oder Bilder</translation>
    </message>
    <message>
        <source>S&amp;moothed</source>
        <translation>&amp;Geglättet</translation>
    </message>
    <message>
        <source>The running mean of each curve, with weight 0.95</source>
        <translation>Das laufende Mittel jeder Kurve, mit Gewicht 0,95</translation>
    </message>
    <message>
        <source>Losses of single small batches jump. When they are smoothed, the curves of two lanes can be told apart; their differences are then those of the smoothed curves.</source>
        <translation>Verluste einzelner kleiner Batches springen. Geglättet lassen sich die Kurven zweier Bahnen unterscheiden; ihre Unterschiede sind dann die der geglätteten Kurven.</translation>
    </message>
    <message>
        <source>The x axis of the curves. Over images, steps of a parameter server&apos;s workers line up with steps of the same number of images.</source>
        <translation>Die x-Achse der Kurven. Über Bildern stehen die Schritte der Worker eines Parameterservers neben Schritten mit gleich vielen Bildern.</translation>
    </message>
</context>
<context>
    <name>lab::LanePointing</name>
    <message>
        <source>What is pointed at, in all lanes</source>
        <translation>Worauf gezeigt wird, in allen Bahnen</translation>
    </message>
    <message>
        <source>− %1</source>
        <comment>less the baseline</comment>
        <translation>− %1</translation>
    </message>
    <message>
        <source>Point at an image, a layer, a gradient or a copy of the weights in one lane: the same object is marked in the others, and its numbers appear here.</source>
        <translation>Zeigen Sie in einer Bahn auf ein Bild, eine Schicht, einen Gradienten oder eine Kopie der Gewichte: Dasselbe ist in den anderen markiert, und seine Zahlen stehen hier.</translation>
    </message>
</context>
<context>
    <name>lab::LaneSketch</name>
    <message>
        <source>The lane in short</source>
        <translation>Die Bahn in Kürze</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
</context>
<context>
    <name>lab::LaneTable</name>
    <message>
        <source>The others are compared with this one.</source>
        <translation>Die anderen werden mit dieser verglichen.</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Bahn</translation>
    </message>
    <message>
        <source>Lanes in figures</source>
        <translation>Bahnen in Zahlen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>link, bytes</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a step&apos;s time, of how many images</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lab::LaneTraces</name>
    <message>
        <source>Traces of the lanes</source>
        <translation>Traces der Bahnen</translation>
    </message>
    <message>
        <source>Where the time of each lane&apos;s step went</source>
        <translation>Wohin die Zeit des Schritts jeder Bahn ging</translation>
    </message>
    <message>
        <source>Trace of %1</source>
        <translation>Trace von %1</translation>
    </message>
    <message>
        <source>− %1</source>
        <comment>less the baseline</comment>
        <translation>− %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1: times were not recorded</source>
        <translation>%1: Zeiten wurden nicht aufgezeichnet</translation>
    </message>
</context>
<context>
    <name>lab::LaneView</name>
    <message>
        <source>has the focus</source>
        <translation>hat den Fokus</translation>
    </message>
    <message>
        <source>Lane %1</source>
        <translation>Bahn %1</translation>
    </message>
    <message>
        <source>Stage of %1</source>
        <translation>Bühne von %1</translation>
    </message>
    <message>
        <source>Moments of the present step of %1</source>
        <translation>Momente des gezeigten Schritts von %1</translation>
    </message>
    <message>
        <source>Close the lane %1</source>
        <translation>Die Bahn %1 schließen</translation>
    </message>
    <message>
        <source>step %1 · loss %2</source>
        <translation>Schritt %1 · Verlust %2</translation>
    </message>
    <message>
        <source>The window&apos;s own run.</source>
        <translation>Der eigene Lauf des Fensters.</translation>
    </message>
    <message>
        <source>Ends this lane&apos;s run. The others go on.</source>
        <translation>Beendet den Lauf dieser Bahn. Die anderen gehen weiter.</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Same seed, images, order and global batch.</source>
        <translation>Gleicher Seed, gleiche Bilder, Reihenfolge und globaler Batch.</translation>
    </message>
    <message>
        <source>How much the busiest link has carried up to the shown moment, of all that it carries in this step. Point at this line to see every link.</source>
        <translation>Wie viel der meistbelegte Link bis zum gezeigten Moment getragen hat, von allem, was er in diesem Schritt trägt. Zeigen Sie auf diese Zeile, um jeden Link zu sehen.</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1: %2 von %3</translation>
    </message>
    <message>
        <source>Busiest link %1</source>
        <translation>Meistbelegter Link %1</translation>
    </message>
</context>
<context>
    <name>lab::LanesBelow</name>
    <message>
        <source>Under the lanes</source>
        <translation>Unter den Bahnen</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Traces</translation>
    </message>
    <message>
        <source>Pointed at</source>
        <translation>Gezeigtes</translation>
    </message>
    <message>
        <source>What the weights&apos; distances say</source>
        <translation>Was die Abstände der Gewichte sagen</translation>
    </message>
    <message>
        <source>Unfold what is under the lanes</source>
        <translation>Ausklappen, was unter den Bahnen steht</translation>
    </message>
    <message>
        <source>Fold away what is under the lanes</source>
        <translation>Einklappen, was unter den Bahnen steht</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>lane, sentence</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>There is one lane. Compare it with another.</source>
        <translation>Es gibt eine Bahn. Vergleichen Sie sie mit einer anderen.</translation>
    </message>
    <message>
        <source>More room for the lanes. A click on a tab unfolds it again.</source>
        <translation>Mehr Platz für die Bahnen. Ein Klick auf einen Reiter klappt es wieder aus.</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>Erster Unterschied</translation>
    </message>
    <message>
        <source>Goes to the first step after which the weights of the lane with the focus differ in any bit (D)</source>
        <translation>Geht zum ersten Schritt, nach dem sich die Gewichte der Bahn mit dem Fokus in irgendeinem Bit unterscheiden (D)</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Voriger</translation>
    </message>
    <message>
        <source>Goes back to where the weights of a lane begin to differ, and shows the cause (Shift+N)</source>
        <translation>Geht zurück dorthin, wo die Gewichte einer Bahn beginnen, sich zu unterscheiden, und zeigt die Ursache (Umschalt+N)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächster</translation>
    </message>
    <message>
        <source>Goes on to where the weights of a lane begin to differ, and shows the cause (N)</source>
        <translation>Geht weiter dorthin, wo die Gewichte einer Bahn beginnen, sich zu unterscheiden, und zeigt die Ursache (N)</translation>
    </message>
    <message>
        <source>Weight distance, ‖w − b‖ / ‖b‖, b: the baseline&apos;s</source>
        <translation>Gewichtsabstand, ‖w − b‖ / ‖b‖, b: die des Bezugs</translation>
    </message>
</context>
<context>
    <name>lab::LayerWords</name>
    <message>
        <source>Conv2D, %1 filters</source>
        <translation>Conv2D, %1 Filter</translation>
    </message>
    <message>
        <source>Dense, %1 classes</source>
        <translation>Dense, %1 Klassen</translation>
    </message>
    <message>
        <source>Dense, %1 units</source>
        <translation>Dense, %1 Einheiten</translation>
    </message>
    <message>
        <source>MaxPooling2D, %1</source>
        <translation>MaxPooling2D, %1</translation>
    </message>
    <message>
        <source>AveragePooling2D, %1</source>
        <translation>AveragePooling2D, %1</translation>
    </message>
    <message>
        <source>Dropout, %1 of the units</source>
        <translation>Dropout, %1 der Einheiten</translation>
    </message>
    <message>
        <source>Conv2D, %1 filters of %2</source>
        <translation>Conv2D, %1 Filter von %2</translation>
    </message>
    <message>
        <source>, strides %1</source>
        <translation>, Schrittweite %1</translation>
    </message>
    <message>
        <source>BatchNormalization, synchronised</source>
        <translation>BatchNormalization, synchronisiert</translation>
    </message>
    <message>
        <source>BatchNorm., synchronised</source>
        <translation>BatchNorm., synchronisiert</translation>
    </message>
    <message>
        <source>Activation, %1</source>
        <translation>Activation, %1</translation>
    </message>
    <message>
        <source>DepthwiseConv2D, %1 filters of %2 for each channel</source>
        <translation>DepthwiseConv2D, %1 Filter von %2 je Kanal</translation>
    </message>
    <message>
        <source>Averages</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Maxima</source>
        <translation>Maxima</translation>
    </message>
</context>
<context>
    <name>lab::LessonView</name>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Where is it?</source>
        <translation>Wo ist das?</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Do it for me</source>
        <translation>Für mich tun</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>Alle Lektionen</translation>
    </message>
    <message>
        <source>✓ done</source>
        <translation>✓ fertig</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pages</source>
        <translation>
            <numerusform>%Ln Seite</numerusform>
            <numerusform>%Ln Seiten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 · page %2 of %3</source>
        <translation>%1 · Seite %2 von %3</translation>
    </message>
    <message>
        <source>✓ Done</source>
        <translation>✓ Erledigt</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Hint: %1</source>
        <translation>Hinweis: %1</translation>
    </message>
    <message>
        <source>This task has changed since you did it.</source>
        <translation>Diese Aufgabe hat sich geändert, seit Sie sie erledigt haben.</translation>
    </message>
    <message>
        <source>The lesson&apos;s page</source>
        <translation>Die Seite der Lektion</translation>
    </message>
    <message>
        <source>It is not on the stage yet. Keep playing: it lights up as soon as it is there.</source>
        <translation>Es ist noch nicht auf der Bühne. Lassen Sie den Film weiterlaufen: Sobald es da ist, leuchtet es auf.</translation>
    </message>
    <message>
        <source>It is not on the stage yet. Keep playing to “%1”: it lights up as soon as it is there.</source>
        <translation>Es ist noch nicht auf der Bühne. Lassen Sie den Film bis „%1“ weiterlaufen: Sobald es da ist, leuchtet es auf.</translation>
    </message>
</context>
<context>
    <name>lab::Looks</name>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Projector</source>
        <translation>&amp;Beamer</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Projector &amp;mode</source>
        <translation>Beamer&amp;modus</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>Te&amp;xt</source>
        <translation>Sch&amp;rift</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>&amp;Größerer Text</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>&amp;Kleinerer Text</translation>
    </message>
    <message>
        <source>Text size with the &amp;window</source>
        <translation>Textgröße mit dem &amp;Fenster</translation>
    </message>
</context>
<context>
    <name>lab::MainWindow</name>
    <message>
        <source>Deselect; leave full screen</source>
        <translation>Auswahl aufheben; Vollbild verlassen</translation>
    </message>
    <message>
        <source></source>
        <translation></translation>
    </message>
    <message>
        <source>A class is being served: end the lesson first, in the tab Class.</source>
        <translation>Eine Klasse trainiert: Beenden Sie zuerst die Stunde, im Reiter Klasse.</translation>
    </message>
</context>
<context>
    <name>lab::MemberTable</name>
    <message>
        <source>slowed ×%1</source>
        <translation>verlangsamt ×%1</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>schläft</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>still</translation>
    </message>
    <message>
        <source>has left</source>
        <translation>ist gegangen</translation>
    </message>
    <message>
        <source>sent away</source>
        <translation>fortgeschickt</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>the others</source>
        <translation>die anderen</translation>
    </message>
    <message>
        <source>the teacher</source>
        <translation>die Lehrkraft</translation>
    </message>
    <message>
        <source>the server</source>
        <translation>den Server</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>The name that the program gave, and the nickname where those are shown</source>
        <translation>Der Name, den das Programm gab, und der Spitzname, wo diese gezeigt werden</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Asleep: a tab in the background. Silent: nothing is heard from it</source>
        <translation>Schläft: ein Browser-Tab im Hintergrund. Still: Von ihm ist nichts zu hören</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>What it needs before it can go on</source>
        <translation>Was er braucht, bevor er weitermachen kann</translation>
    </message>
    <message>
        <source>Images/s</source>
        <translation>Bilder/s</translation>
    </message>
    <message>
        <source>Images of the last seconds, measured</source>
        <translation>Bilder der letzten Sekunden, gemessen</translation>
    </message>
    <message>
        <source>Pushes</source>
        <translation>Geschickt</translation>
    </message>
    <message>
        <source>Gradients that were used</source>
        <translation>Gradienten, die verwendet wurden</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Staleness</translation>
    </message>
    <message>
        <source>Updates by others between a worker&apos;s pull and its push: the mean, and the latest</source>
        <translation>Updates anderer zwischen dem Holen und dem Schicken eines Workers: das Mittel und der letzte Wert</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Hin und zurück</translation>
    </message>
    <message>
        <source>How long a ping to this worker and back takes</source>
        <translation>Wie lange ein Ping zu diesem Worker und zurück braucht</translation>
    </message>
    <message>
        <source>Link, kB/s</source>
        <translation>Link, kB/s</translation>
    </message>
    <message>
        <source>What its link carries, both ways</source>
        <translation>Was sein Link überträgt, in beide Richtungen</translation>
    </message>
    <message>
        <source>%1, now %2</source>
        <comment>staleness: mean, latest</comment>
        <translation>%1, jetzt %2</translation>
    </message>
    <message>
        <source>Computes on %1</source>
        <comment>an instruction set</comment>
        <translation>Rechnet mit %1</translation>
    </message>
    <message>
        <source>Workers of the class</source>
        <translation>Worker der Klasse</translation>
    </message>
    <message>
        <source>the link</source>
        <translation>den Link</translation>
    </message>
</context>
<context>
    <name>lab::MemoryArea</name>
    <message>
        <source>variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer&apos;s slots</source>
        <translation>Optimierer-Slots</translation>
    </message>
    <message>
        <source>images and layers&apos; outputs</source>
        <translation>Bilder und Ausgaben der Schichten</translation>
    </message>
    <message>
        <source>packs and gathered weights</source>
        <translation>Pakete und eingesammelte Gewichte</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>The device&apos;s memory over the step, from left to right as in the trace. Point at a moment, or use the arrow keys, to see what it holds then; otherwise this is the moment that the stage shows.</source>
        <translation>Der Speicher des Geräts im Lauf des Schritts, von links nach rechts wie im Trace. Zeigen Sie auf einen Moment, oder nehmen Sie die Pfeiltasten, um zu sehen, was es dann hält; sonst gilt der Moment, den die Bühne zeigt.</translation>
    </message>
    <message>
        <source>%1 into the step: %2, modelled</source>
        <translation>%1 nach Beginn des Schritts: %2, modelliert</translation>
    </message>
    <message>
        <source>%1 into the step: %2, measured</source>
        <translation>%1 nach Beginn des Schritts: %2, gemessen</translation>
    </message>
    <message>
        <source>Memory over the step, modelled</source>
        <translation>Speicher im Lauf des Schritts, modelliert</translation>
    </message>
    <message>
        <source>Memory over the step, measured</source>
        <translation>Speicher im Lauf des Schritts, gemessen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>memory at a moment, its parts</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lab::Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Keep the &amp;global batch when replicas change</source>
        <translation>&amp;Globalen Batch halten, wenn sich die Replikate ändern</translation>
    </message>
    <message>
        <source>Keep each replica&apos;s &amp;batch when replicas change</source>
        <translation>&amp;Batch jedes Replikats halten, wenn sich die Replikate ändern</translation>
    </message>
    <message>
        <source>Start &amp;anew, same seed</source>
        <translation>&amp;Neu beginnen, gleicher Seed</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Tasten</translation>
    </message>
    <message>
        <source>&amp;About StrategyLab</source>
        <translation>Ü&amp;ber StrategyLab</translation>
    </message>
    <message>
        <source>One replica more</source>
        <translation>Ein Replikat mehr</translation>
    </message>
    <message>
        <source>One replica fewer</source>
        <translation>Ein Replikat weniger</translation>
    </message>
</context>
<context>
    <name>lab::Messages</name>
    <message>
        <source>Mode %1: training continues as soon as you press Play.</source>
        <translation>Modus %1: Das Training läuft, sobald Sie auf Abspielen drücken.</translation>
    </message>
    <message>
        <source>This is where the run begins: step %1.</source>
        <translation>Hier beginnt der Lauf: Schritt %1.</translation>
    </message>
    <message>
        <source>Step %1 is the latest trained step. Play continues training.</source>
        <translation>Schritt %1 ist der letzte trainierte. Abspielen trainiert weiter.</translation>
    </message>
    <message>
        <source>The run has ended with an error at step %1. Undo takes back the last change to it.</source>
        <translation>Der Lauf endete in Schritt %1 mit einem Fehler. Rückgängig nimmt die letzte Änderung an ihm zurück.</translation>
    </message>
    <message>
        <source>Training is over: step %1 is the last.</source>
        <translation>Das Training ist zu Ende: Schritt %1 ist der letzte.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Mode %1</source>
        <translation>Modus %1</translation>
    </message>
    <message>
        <source>Playing</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
</context>
<context>
    <name>lab::MetricChart</name>
    <message>
        <source>&lt;p&gt;&lt;b&gt;%1&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Wheel: zoom along x, with Ctrl along y. Drag: move. Shift and drag: zoom into a box. Double-click: show everything again. Click on a point: the stage goes to that step.&lt;/p&gt;&lt;p&gt;Where there are more points than pixels, the smallest and the largest value of each pixel column are drawn: no spike is lost.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;%1&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Mausrad: zoomen entlang x, mit Strg entlang y. Ziehen: verschieben. Umschalt und Ziehen: in einen Rahmen zoomen. Doppelklick: wieder alles zeigen. Klick auf einen Punkt: Die Bühne geht zu diesem Schritt.&lt;/p&gt;&lt;p&gt;Wo es mehr Punkte als Pixel gibt, werden der kleinste und der größte Wert jeder Pixelspalte gezeichnet: Keine Spitze geht verloren.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>What to do with the chart %1</source>
        <translation>Was mit dem Diagramm %1 zu tun ist</translation>
    </message>
    <message>
        <source>Copy, export, show as a table</source>
        <translation>Kopieren, exportieren, als Tabelle zeigen</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>, %1</translation>
    </message>
    <message>
        <source>, logarithmic</source>
        <translation>, logarithmisch</translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation>globaler Batch %1</translation>
    </message>
    <message>
        <source>As training goes on, a line grows here: a point for each value.</source>
        <translation>Während des Trainings wächst hier eine Linie: ein Punkt für jeden Wert.</translation>
    </message>
</context>
<context>
    <name>lab::MistakeGrid</name>
    <message>
        <source>Test images that are taken for another class</source>
        <translation>Testbilder, die für eine andere Klasse gehalten werden</translation>
    </message>
    <message>
        <source>Test images that the network takes for another class, those with the largest loss first. A click puts one on the pad, and so does Enter; the arrow keys go from one to the next.</source>
        <translation>Testbilder, die das Netz für eine andere Klasse hält, die mit dem größten Verlust zuerst. Ein Klick legt eines auf die Zeichenfläche, ebenso Enter; die Pfeiltasten gehen von einem zum nächsten.</translation>
    </message>
    <message>
        <source>Test image %1, label %2, is taken for %3 with %4. Loss %5</source>
        <translation>Testbild %1, Label %2, wird mit %4 für %3 gehalten. Verlust %5</translation>
    </message>
</context>
<context>
    <name>lab::MomentChooser</name>
    <message>
        <source>At the end every replica has the sum.</source>
        <translation>Am Ende hat jedes Replikat die Summe.</translation>
    </message>
    <message>
        <source>push</source>
        <translation>Schicken</translation>
    </message>
    <message>
        <source>queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>%1 sent</source>
        <translation>%1 gesendet</translation>
    </message>
    <message numerus="yes">
        <source>%Ln updates stale</source>
        <translation>
            <numerusform>%Ln Update alt</numerusform>
            <numerusform>%Ln Updates alt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 pushes its gradient, as soon as it has one.</source>
        <translation>%1 schickt seinen Gradienten, sobald er ihn hat.</translation>
    </message>
    <message>
        <source>%1 pulls the weights, as they are at that moment.</source>
        <translation>%1 holt die Gewichte, wie sie in diesem Moment sind.</translation>
    </message>
    <message>
        <source>%1 computes the loss of a batch of its own, forward.</source>
        <translation>%1 berechnet vorwärts den Verlust eines eigenen Batches.</translation>
    </message>
</context>
<context>
    <name>lab::MomentsView</name>
    <message>
        <source>Prepared places for a class: an experiment, a step and a beat of it, the workspace and the theme. In projector mode Page Down and Page Up go through them. They are kept in the experiment&apos;s file.</source>
        <translation>Vorbereitete Stellen für den Unterricht: ein Experiment, ein Schritt und ein Takt darin, der Arbeitsbereich und das Farbschema. Im Beamermodus führen Bild ab und Bild auf durch sie. Sie stehen in der Datei des Experiments.</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>Enter shows a moment, F2 renames it, Delete removes it. Drag it, or move it with Alt+Up and Alt+Down.</source>
        <translation>Enter zeigt einen Moment, F2 benennt ihn um, Entf entfernt ihn. Ziehen Sie ihn, oder verschieben Sie ihn mit Alt+Auf und Alt+Ab.</translation>
    </message>
    <message>
        <source>Add this moment</source>
        <translation>Moment hinzufügen</translation>
    </message>
    <message>
        <source>Adds what the window shows now, after the chosen moment</source>
        <translation>Fügt hinter dem gewählten Moment hinzu, was das Fenster jetzt zeigt</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Goes to the chosen moment</source>
        <translation>Geht zum gewählten Moment</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>The chosen moment becomes what the window shows now</source>
        <translation>Der gewählte Moment wird zu dem, was das Fenster jetzt zeigt</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Gives the chosen moment another name (F2)</source>
        <translation>Gibt dem gewählten Moment einen anderen Namen (F2)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Takes the chosen moment out of the list; it can be brought back</source>
        <translation>Nimmt den gewählten Moment aus der Liste; er lässt sich zurückholen</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Brings back what was removed last</source>
        <translation>Holt zurück, was zuletzt entfernt wurde</translation>
    </message>
    <message>
        <source>Without a name</source>
        <translation>Ohne Namen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln Replikat</numerusform>
            <numerusform>%Ln Replikate</numerusform>
        </translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Brings back “%1”</source>
        <translation>Holt „%1“ zurück</translation>
    </message>
    <message>
        <source>No moments yet. Go to where the class should be, then add that moment; or take a prepared class.</source>
        <translation>Noch keine Momente. Gehen Sie dorthin, wo die Klasse sein soll, und fügen Sie diesen Moment hinzu, oder nehmen Sie eine vorbereitete Stunde.</translation>
    </message>
    <message>
        <source>What to say here</source>
        <translation>Was hier zu sagen ist</translation>
    </message>
    <message>
        <source>What you say at this moment, what the class answers, and what is seen</source>
        <translation>Was Sie an dieser Stelle sagen, was die Klasse antwortet und was zu sehen ist</translation>
    </message>
    <message>
        <source>Prepared class…</source>
        <translation>Fertige Stunde …</translation>
    </message>
    <message>
        <source>Replaces the list with a prepared class of 45 minutes; its script is in the handbook</source>
        <translation>Ersetzt die Liste durch eine vorbereitete Stunde von 45 Minuten; ihr Ablauf steht im Handbuch</translation>
    </message>
</context>
<context>
    <name>lab::MovieDialog</name>
    <message>
        <source>Make a movie</source>
        <translation>Einen Film erstellen</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Cancelled: no file was written.</source>
        <translation>Abgebrochen: Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
        <source>&amp;What</source>
        <translation>&amp;Was</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Picture</source>
        <translation>&amp;Bild</translation>
    </message>
    <message>
        <source>Pixels</source>
        <translation>Pixel</translation>
    </message>
    <message>
        <source>by</source>
        <translation>mal</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farb&amp;schema</translation>
    </message>
    <message>
        <source>Progress of the movie</source>
        <translation>Fortschritt des Films</translation>
    </message>
    <message>
        <source>This step</source>
        <translation>Dieser Schritt</translation>
    </message>
    <message>
        <source>This beat: %1</source>
        <translation>Dieser Takt: %1</translation>
    </message>
    <message>
        <source>What is marked on the scrubber</source>
        <translation>Was auf der Zeitleiste markiert ist</translation>
    </message>
    <message>
        <source>Other seconds</source>
        <translation>Andere Sekunden</translation>
    </message>
    <message>
        <source>First second of the step&apos;s movie</source>
        <translation>Erste Sekunde vom Film des Schritts</translation>
    </message>
    <message>
        <source>Last second of the step&apos;s movie</source>
        <translation>Letzte Sekunde vom Film des Schritts</translation>
    </message>
    <message>
        <source>WebM: small and sharp, for browsers and players</source>
        <translation>WebM: klein und scharf, für Browser und Abspielprogramme</translation>
    </message>
    <message>
        <source>GIF: larger, for slides and pages; it repeats</source>
        <translation>GIF: größer, für Folien und Seiten; es wiederholt sich</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Width in pixels</source>
        <translation>Breite in Pixeln</translation>
    </message>
    <message>
        <source>Height in pixels</source>
        <translation>Höhe in Pixeln</translation>
    </message>
    <message numerus="yes">
        <source>%Ln pictures, %1 s.</source>
        <translation>
            <numerusform>%Ln Bild, %1 s.</numerusform>
            <numerusform>%Ln Bilder, %1 s.</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the movie</source>
        <translation>Den Film speichern</translation>
    </message>
    <message>
        <source>Movies (*.gif)</source>
        <translation>Filme (*.gif)</translation>
    </message>
    <message>
        <source>Movies (*.webm)</source>
        <translation>Filme (*.webm)</translation>
    </message>
    <message>
        <source>The movie is being made. The window can be used meanwhile.</source>
        <translation>Der Film wird erstellt. Das Fenster kann inzwischen benutzt werden.</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message numerus="yes">
        <source>About %1, an estimate from %Ln pictures.</source>
        <translation>
            <numerusform>Etwa %1, geschätzt aus %Ln Bild.</numerusform>
            <numerusform>Etwa %1, geschätzt aus %Ln Bildern.</numerusform>
        </translation>
    </message>
    <message>
        <source>Pictures a secon&amp;d</source>
        <translation>Bilder &amp;je Sekunde</translation>
    </message>
</context>
<context>
    <name>lab::MovieJob</name>
    <message>
        <source>There is nothing on the stage to film yet.</source>
        <translation>Auf der Bühne ist noch nichts, was gefilmt werden kann.</translation>
    </message>
    <message>
        <source>A movie has sides of %1 to %2 pixels: choose another size.</source>
        <translation>Ein Film hat Seiten von %1 bis %2 Pixeln: Wählen Sie eine andere Größe.</translation>
    </message>
    <message>
        <source>A movie has at most %L1 pictures, but this one would have %L2: choose a shorter part or fewer pictures per second.</source>
        <translation>Ein Film hat höchstens %L1 Bilder, aber dieser hätte %L2: Wählen Sie einen kürzeren Ausschnitt oder weniger Bilder je Sekunde.</translation>
    </message>
    <message>
        <source>Most programs do not show so large a GIF: choose a smaller picture, a shorter part or fewer pictures per second, or WebM.</source>
        <translation>Ein so großes GIF zeigen die meisten Programme nicht: Wählen Sie ein kleineres Bild, einen kürzeren Ausschnitt, weniger Bilder je Sekunde oder WebM.</translation>
    </message>
</context>
<context>
    <name>lab::Narration</name>
    <message>
        <source>Each beat of a step becomes a line here as it passes.</source>
        <translation>Jeder Takt eines Schritts wird hier zu einer Zeile, sobald er vorüber ist.</translation>
    </message>
    <message>
        <source>Narration</source>
        <translation>Mitschrift</translation>
    </message>
    <message>
        <source>Notes from StrategyLab %1: %2, %3
%4; seed %5

%6
</source>
        <translation>Notizen aus StrategyLab %1: %2, %3
%4; Seed %5

%6
</translation>
    </message>
    <message>
        <source>Copy everything as &amp;notes</source>
        <translation>Alles als &amp;Notizen kopieren</translation>
    </message>
</context>
<context>
    <name>lab::NetworkChoice</name>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>A network is only timed here. It may be larger than what can be trained: a preset, or a file that Keras has written.</source>
        <translation>Hier geht es nur um die Dauer eines Netzes. Es darf größer sein als das, was trainiert werden kann: ein vorgegebenes, oder eine Datei, die Keras geschrieben hat.</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen …</translation>
    </message>
</context>
<context>
    <name>lab::NetworkEditor</name>
    <message>
        <source>Conv2D: filters look for patterns</source>
        <translation>Conv2D: Filter suchen Muster</translation>
    </message>
    <message>
        <source>MaxPooling2D: the largest of 2×2 stays</source>
        <translation>MaxPooling2D: der größte von 2×2 Werten bleibt</translation>
    </message>
    <message>
        <source>Dense: each unit sees all values</source>
        <translation>Dense: jede Einheit sieht alle Werte</translation>
    </message>
    <message>
        <source>Dropout: a step leaves out a quarter</source>
        <translation>Dropout: ein Schritt lässt ein Viertel weg</translation>
    </message>
    <message>
        <source>BatchNormalization: mean 0, variance 1 over the batch</source>
        <translation>BatchNormalization: Mittel 0, Varianz 1 über den Batch</translation>
    </message>
    <message>
        <source>Add a layer</source>
        <translation>Schicht hinzufügen</translation>
    </message>
    <message>
        <source>After the chosen layer, or as near to it as possible</source>
        <translation>Hinter der gewählten Schicht, oder so nah bei ihr wie möglich</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Choose a layer in the table first</source>
        <translation>Erst eine Schicht in der Tabelle wählen</translation>
    </message>
    <message>
        <source>Remove the chosen layer (Delete)</source>
        <translation>Die gewählte Schicht entfernen (Entf)</translation>
    </message>
    <message>
        <source>This layer must stay: its outputs are the classes</source>
        <translation>Diese Schicht bleibt: Ihre Ausgaben sind die Klassen</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>How many filters or units the chosen layer has. Another number is another network: a new run begins.</source>
        <translation>Wie viele Filter oder Einheiten die gewählte Schicht hat. Eine andere Zahl ist ein anderes Netz: Ein neuer Lauf beginnt.</translation>
    </message>
    <message>
        <source>Filters or units of the chosen layer</source>
        <translation>Filter oder Einheiten der gewählten Schicht</translation>
    </message>
    <message>
        <source>The images would become too small for this layer, or for one after it. Remove a layer that makes them smaller first.</source>
        <translation>Die Bilder würden zu klein für diese Schicht oder für eine nach ihr. Entfernen Sie zuerst eine Schicht, die sie verkleinert.</translation>
    </message>
</context>
<context>
    <name>lab::NetworkPage</name>
    <message>
        <source>Folder of the data…</source>
        <translation>Ordner der Daten …</translation>
    </message>
    <message>
        <source>Layers of the network</source>
        <translation>Schichten des Netzes</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was sie ist</translation>
    </message>
    <message>
        <source>Output shape</source>
        <translation>Form der Ausgabe</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Output of a batch</source>
        <translation>Ausgabe je Batch</translation>
    </message>
    <message>
        <source>Forward, modelled</source>
        <translation>Vorwärts, modelliert</translation>
    </message>
    <message>
        <source>Backward, modelled</source>
        <translation>Rückwärts, modelliert</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>gradients %1</source>
        <translation>Gradienten %1</translation>
    </message>
    <message>
        <source>optimizer %1</source>
        <translation>Optimierer %1</translation>
    </message>
    <message numerus="yes">
        <source>activations of %Ln images %1</source>
        <translation>
            <numerusform>Aktivierungen von %Ln Bild %1</numerusform>
            <numerusform>Aktivierungen von %Ln Bildern %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 parameters.</source>
        <translation>%1 Parameter.</translation>
    </message>
    <message>
        <source>%1 moving statistics, which each replica has for itself.</source>
        <translation>%1 gleitende Statistiken, die jedes Replikat für sich hat.</translation>
    </message>
    <message>
        <source>A replica holds: %1.</source>
        <translation>Ein Replikat hält: %1.</translation>
    </message>
    <message>
        <source>This run is on real devices: the times of its steps are measured and differ from this modelled time.</source>
        <translation>Dieser Lauf ist auf echten Geräten: Die Zeiten seiner Schritte sind gemessen und weichen von dieser modellierten Zeit ab.</translation>
    </message>
    <message>
        <source>%1 + %2 moving</source>
        <translation>%1 + %2 gleitende</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>an example, as the network gets it</source>
        <translation>ein Beispiel, wie das Netz es bekommt</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>modelled: %1, backward %2</source>
        <translation>modelliert: %1, rückwärts %2</translation>
    </message>
    <message>
        <source>The convolution&apos;s output is pooled at once and not stored.</source>
        <translation>Die Ausgabe der Faltung wird sofort gepoolt und nicht gespeichert.</translation>
    </message>
    <message>
        <source>%1 moving statistics, which are on the servers.</source>
        <translation>%1 gleitende Statistiken, die auf den Servern liegen.</translation>
    </message>
    <message>
        <source>%1 moving statistics, one copy for all replicas.</source>
        <translation>%1 gleitende Statistiken, eine Kopie für alle Replikate.</translation>
    </message>
    <message>
        <source>The activations include room for each convolution&apos;s output, even if it is pooled at once and never written.</source>
        <translation>Die Aktivierungen enthalten Platz für die Ausgabe jeder Faltung, auch wenn sie sofort gepoolt und nie geschrieben wird.</translation>
    </message>
    <message>
        <source>A step takes %1 by the model, on %2: %3 images/s, steady.</source>
        <translation>Ein Schritt dauert nach dem Modell %1, auf %2: stationär %3 Bilder/s.</translation>
    </message>
    <message>
        <source>The network&apos;s layers in the order of a step: the shape of what each gives for one example, its parameters, how much memory that takes for a replica&apos;s batch, and how long it computes forwards and backwards, by the timing model. Pooling, Dropout and Flatten are done with the layer before them. A click on a row selects the layer on the stage, and the controls above change it.</source>
        <translation>Die Schichten des Netzes in der Reihenfolge eines Schritts: die Form dessen, was jede für ein Beispiel ergibt, ihre Parameter, wie viel Speicher das für den Batch eines Replikats braucht, und wie lange sie vorwärts und rückwärts rechnet, nach dem Zeitmodell. Pooling, Dropout und Flatten werden mit der Schicht davor erledigt. Ein Klick auf eine Zeile wählt die Schicht auf der Bühne; die Bedienelemente darüber ändern sie.</translation>
    </message>
    <message>
        <source>That is its part of the weights, gradients and optimizer&apos;s slots: during a pass it also has all weights, and all gradients until they are summed.</source>
        <translation>Das ist sein Teil der Gewichte, Gradienten und Optimierer-Slots: Während eines Durchlaufs hat es außerdem alle Gewichte und, bis sie summiert sind, alle Gradienten.</translation>
    </message>
    <message>
        <source>That is its part of the gradients and optimizer&apos;s slots: during a pass it also has all gradients, until they are summed.</source>
        <translation>Das ist sein Teil der Gradienten und Optimierer-Slots: Während eines Durchlaufs hat es außerdem alle Gradienten, bis sie summiert sind.</translation>
    </message>
    <message>
        <source>Its weights are a copy of the servers&apos; variables, which it reads for each step.</source>
        <translation>Seine Gewichte sind eine Kopie der Variablen der Server, die es für jeden Schritt liest.</translation>
    </message>
    <message>
        <source>Its weights are a copy of the host&apos;s variables, which it reads for each step.</source>
        <translation>Seine Gewichte sind eine Kopie der Variablen des Hosts, die es für jeden Schritt liest.</translation>
    </message>
    <message>
        <source>For the optimizer&apos;s slots, that is only its part.</source>
        <translation>Von den Optimierer-Slots ist das nur sein Teil.</translation>
    </message>
</context>
<context>
    <name>lab::NetworkPicker</name>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen …</translation>
    </message>
    <message>
        <source>A network of Keras</source>
        <translation>Ein Netz von Keras</translation>
    </message>
    <message>
        <source>Networks of Keras</source>
        <translation>Netze von Keras</translation>
    </message>
    <message>
        <source>The network that is trained. A file must come from Keras: a .keras file, or what model.to_json() has written. You can also drop it on the window.</source>
        <translation>Das Netz, das trainiert wird. Eine Datei muss von Keras stammen: eine .keras-Datei oder was model.to_json() geschrieben hat. Sie können sie auch auf das Fenster ziehen.</translation>
    </message>
</context>
<context>
    <name>lab::Notice</name>
    <message>
        <source>Do what the message proposes</source>
        <translation>Tun, was die Meldung vorschlägt</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
</context>
<context>
    <name>lab::OperationModel</name>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>As the trace calls it</source>
        <translation>Wie der Trace sie nennt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What kind of bar it is</source>
        <translation>Welche Art von Balken das ist</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>Aufrufe</translation>
    </message>
    <message>
        <source>Bars of the trace, on all devices, hosts and links</source>
        <translation>Balken im Trace, auf allen Geräten, Hosts und Links</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>The time of all its bars together</source>
        <translation>Die Zeit aller ihrer Balken zusammen</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>The time of one bar</source>
        <translation>Die Zeit eines Balkens</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>The part of all devices&apos; time in the step that belongs to this operation alone. Communication hidden behind computing counts as computing, as in the breakdown, so the shares add up to 100 %.</source>
        <translation>Der Teil der Zeit aller Geräte im Schritt, der dieser Operation allein gehört. Hinter dem Rechnen verdeckte Kommunikation zählt als Rechnen, wie in der Aufschlüsselung, daher ergeben die Anteile zusammen 100 %.</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>Floating-point operations as counted on paper, divided by the total time</source>
        <translation>Gleitkommaoperationen, wie auf Papier gezählt, geteilt durch die Gesamtzeit</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>To and from the device&apos;s memory as counted on paper; for transfers, over links</source>
        <translation>Vom und zum Speicher des Geräts, wie auf Papier gezählt; bei Übertragungen über Links</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/Byte</translation>
    </message>
    <message>
        <source>Arithmetic intensity: operations for each byte to or from memory</source>
        <translation>Arithmetische Intensität: Operationen je Byte vom oder zum Speicher</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>The limit of the roofline that applies to it, and how much of that limit it reaches; for launches, their share of its time</source>
        <translation>Die Grenze der Roofline, die für sie gilt, und wie viel davon sie erreicht; bei Kernelstarts deren Anteil an ihrer Zeit</translation>
    </message>
    <message>
        <source>arithmetic</source>
        <translation>Rechenleistung</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>Kernelstarts</translation>
    </message>
    <message>
        <source>nothing recorded</source>
        <translation>nichts aufgezeichnet</translation>
    </message>
    <message>
        <source>%1: launching kernels takes %2 of its time. Larger batches or fused kernels help.</source>
        <translation>%1: Das Starten von Kerneln kostet %2 ihrer Zeit. Größere Batches oder zusammengefasste Kernel helfen.</translation>
    </message>
    <message>
        <source>%1: bound by memory, with %2 FLOP/byte below the ridge at %3. It reaches %4, which is %5 of what the bandwidth allows.</source>
        <translation>%1: durch den Speicher begrenzt, mit %2 FLOP/Byte unter dem Knick bei %3. Sie erreicht %4, das sind %5 dessen, was die Bandbreite erlaubt.</translation>
    </message>
    <message>
        <source>%1: bound by arithmetic, with %2 FLOP/byte above the ridge at %3. It reaches %4, which is %5 of the peak.</source>
        <translation>%1: durch die Rechenleistung begrenzt, mit %2 FLOP/Byte über dem Knick bei %3. Sie erreicht %4, das sind %5 der Spitze.</translation>
    </message>
    <message>
        <source>More than all of it: the timing model counts fewer bytes than the count on paper.</source>
        <translation>Mehr als 100 %: Das Zeitmodell zählt weniger Bytes als die Rechnung auf dem Papier.</translation>
    </message>
    <message>
        <source>More than all of it: part of its data stays in caches.</source>
        <translation>Mehr als 100 %: Ein Teil ihrer Daten bleibt in Caches.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a bound, how much of it</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>lab::OperationsPanel</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search the operations</source>
        <translation>Operationen durchsuchen</translation>
    </message>
    <message>
        <source>Shows the operations whose name or kind has these letters</source>
        <translation>Zeigt die Operationen, deren Name oder Art diese Buchstaben enthält</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>All operations as CSV, for a spreadsheet</source>
        <translation>Alle Operationen als CSV, für eine Tabellenkalkulation</translation>
    </message>
    <message>
        <source>Measure the roofs</source>
        <translation>Dächer messen</translation>
    </message>
    <message>
        <source>Measures what this processor and its memory can do at most, in half a second. Other work at the same time lowers both, so pause the training first.</source>
        <translation>Misst, was dieser Prozessor und sein Speicher höchstens leisten, in einer halben Sekunde. Andere Arbeit zur selben Zeit senkt beides, halten Sie daher das Training vorher an.</translation>
    </message>
    <message>
        <source>Operations of the step</source>
        <translation>Operationen des Schritts</translation>
    </message>
    <message>
        <source>Every operation of the step: how often it ran, how long, and what it computed. Each instant of a device belongs to one operation, so the shares add up to 100 %, and to the breakdown beside the trace, to the nanosecond. Click the head of a column to sort.</source>
        <translation>Jede Operation des Schritts: wie oft sie lief, wie lange, und was sie gerechnet hat. Jeder Augenblick eines Geräts gehört zu einer Operation, daher ergeben die Anteile zusammen 100 % und auf die Nanosekunde genau die Aufschlüsselung neben dem Trace. Ein Klick auf den Kopf einer Spalte sortiert.</translation>
    </message>
    <message>
        <source>Step %1 · times were not recorded</source>
        <translation>Schritt %1 · Zeiten wurden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Play a step: this then shows how long each of its operations took.</source>
        <translation>Spielen Sie einen Schritt ab: Hier steht dann, wie lange jede seiner Operationen gedauert hat.</translation>
    </message>
    <message numerus="yes">
        <source>Step %1 · %2 · %3 of %Ln devices</source>
        <translation>
            <numerusform>Schritt %1 · %2 · %3 von %Ln Gerät</numerusform>
            <numerusform>Schritt %1 · %2 · %3 von %Ln Geräten</numerusform>
        </translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>The roofs of this processor are not measured yet.</source>
        <translation>Die Dächer dieses Prozessors sind noch nicht gemessen.</translation>
    </message>
    <message>
        <source>The peaks of these devices are not known here, so there are no roofs.</source>
        <translation>Die Spitzenleistungen dieser Geräte sind hier nicht bekannt, daher gibt es keine Dächer.</translation>
    </message>
    <message>
        <source>Roofs modelled, by the catalogue: %1 and %2</source>
        <translation>Dächer modelliert, nach dem Katalog: %1 und %2</translation>
    </message>
    <message>
        <source>Roofs measured here, all threads together: %1 and %2</source>
        <translation>Dächer hier gemessen, alle Threads zusammen: %1 und %2</translation>
    </message>
    <message>
        <source>Export the operations</source>
        <translation>Operationen exportieren</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>lab::OrderList</name>
    <message>
        <source>Lines to put in order</source>
        <translation>Zeilen zum Ordnen</translation>
    </message>
    <message>
        <source>Drag a line to its place, or move it with Alt+Up and Alt+Down.</source>
        <translation>Ziehen Sie eine Zeile an ihren Platz, oder verschieben Sie sie mit Alt+Auf und Alt+Ab.</translation>
    </message>
</context>
<context>
    <name>lab::Panel</name>
    <message>
        <source>A window of its own, or back to its place</source>
        <translation>Ein eigenes Fenster, oder zurück an seinen Platz</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>%1 einklappen</translation>
    </message>
    <message>
        <source>What this panel shows</source>
        <translation>Was dieser Bereich zeigt</translation>
    </message>
</context>
<context>
    <name>lab::Panels</name>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Anleitung</translation>
    </message>
    <message>
        <source>&amp;Detail</source>
        <translation>&amp;Details</translation>
    </message>
    <message>
        <source>E&amp;vidence</source>
        <translation>&amp;Belege</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Tabs</source>
        <translation>Reiter</translation>
    </message>
</context>
<context>
    <name>lab::PlayButton</name>
    <message>
        <source>Play or pause</source>
        <translation>Abspielen oder anhalten</translation>
    </message>
</context>
<context>
    <name>lab::Poster</name>
    <message numerus="yes">
        <source>%1: one step of %Ln workers on one server</source>
        <translation>
            <numerusform>%1: ein Schritt mit %Ln Worker und einem Server</numerusform>
            <numerusform>%1: ein Schritt mit %Ln Workern und einem Server</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: one step of %Ln workers on %2 servers</source>
        <translation>
            <numerusform>%1: ein Schritt mit %Ln Worker und %2 Servern</numerusform>
            <numerusform>%1: ein Schritt mit %Ln Workern und %2 Servern</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: one step on one device</source>
        <translation>%1: ein Schritt auf einem Gerät</translation>
    </message>
    <message numerus="yes">
        <source>%1: one step on %Ln replicas of %2 hosts</source>
        <translation>
            <numerusform>%1: ein Schritt auf %Ln Replikat und %2 Hosts</numerusform>
            <numerusform>%1: ein Schritt auf %Ln Replikaten und %2 Hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: one step on %Ln replicas</source>
        <translation>
            <numerusform>%1: ein Schritt auf %Ln Replikat</numerusform>
            <numerusform>%1: ein Schritt auf %Ln Replikaten</numerusform>
        </translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln images from %1</source>
        <translation>
            <numerusform>%Ln Bild aus %1</numerusform>
            <numerusform>%Ln Bilder aus %1</numerusform>
        </translation>
    </message>
    <message>
        <source>times: modelled, of a simulated %1</source>
        <translation>Zeiten: modelliert, für simulierte %1</translation>
    </message>
    <message>
        <source>times: measured, on real devices</source>
        <translation>Zeiten: gemessen, auf echten Geräten</translation>
    </message>
    <message>
        <source>losses and gradients: computed</source>
        <translation>Verluste und Gradienten: berechnet</translation>
    </message>
    <message>
        <source>This run branches off another one, or a value was changed by hand: its experiment file begins it again.</source>
        <translation>Dieser Lauf zweigt von einem anderen ab, oder ein Wert wurde von Hand geändert: Seine Experimentdatei beginnt ihn wieder.</translation>
    </message>
    <message>
        <source>The same again: %1</source>
        <translation>Noch einmal: %1</translation>
    </message>
    <message>
        <source>gradients ±%1</source>
        <translation>Gradienten ±%1</translation>
    </message>
    <message>
        <source>weights ±%1</source>
        <translation>Gewichte ±%1</translation>
    </message>
</context>
<context>
    <name>lab::Presenter</name>
    <message>
        <source>The list of moments belongs to the previous experiment.</source>
        <translation>Die Liste der Momente gehört zum vorigen Experiment.</translation>
    </message>
    <message>
        <source>Add this &amp;moment to the list</source>
        <translation>Diesen &amp;Moment in die Liste</translation>
    </message>
    <message>
        <source>Ne&amp;xt moment (projector mode)</source>
        <translation>N&amp;ächster Moment (Beamermodus)</translation>
    </message>
    <message>
        <source>Pre&amp;vious moment (projector mode)</source>
        <translation>&amp;Voriger Moment (Beamermodus)</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Added: moment %1, %2</source>
        <translation>Hinzugefügt: Moment %1, %2</translation>
    </message>
    <message>
        <source>Moment %1 of %2: %3</source>
        <translation>Moment %1 von %2: %3</translation>
    </message>
    <message>
        <source>%1 min: %2</source>
        <translation>%1 min: %2</translation>
    </message>
    <message>
        <source>The class “%1” has replaced your list of moments.</source>
        <translation>Die Stunde „%1“ hat Ihre Liste der Momente ersetzt.</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Keep this list</source>
        <translation>Liste behalten</translation>
    </message>
</context>
<context>
    <name>lab::ProbabilityBars</name>
    <message>
        <source>Probability of each class</source>
        <translation>Wahrscheinlichkeit jeder Klasse</translation>
    </message>
    <message>
        <source>What the network gives to each class: the softmax of its outputs</source>
        <translation>Was das Netz jeder Klasse gibt: der Softmax seiner Ausgaben</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
</context>
<context>
    <name>lab::ProcessBar</name>
    <message>
        <source>Processes of the run</source>
        <translation>Prozesse des Laufs</translation>
    </message>
    <message>
        <source>✕ worker %1</source>
        <translation>✕ Worker %1</translation>
    </message>
    <message>
        <source>Kill worker %1, %2</source>
        <translation>Worker %1 beenden, %2</translation>
    </message>
    <message>
        <source>Another…</source>
        <translation>Anderer …</translation>
    </message>
    <message>
        <source>Kill another worker</source>
        <translation>Einen anderen Worker beenden</translation>
    </message>
    <message numerus="yes">
        <source>%Ln processes, ended</source>
        <translation>
            <numerusform>%Ln Prozess, beendet</numerusform>
            <numerusform>%Ln Prozesse, beendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln processes, kill:</source>
        <translation>
            <numerusform>%Ln Prozess, beenden:</numerusform>
            <numerusform>%Ln Prozesse, beenden:</numerusform>
        </translation>
    </message>
    <message>
        <source>Ends worker %1 (%2) at once. The others end too, as they do in TensorFlow.</source>
        <translation>Beendet Worker %1 (%2) sofort. Die anderen enden auch, wie bei TensorFlow.</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>Weiter ab Schritt %1</translation>
    </message>
    <message>
        <source>Starts all processes again, from the newest checkpoint: the bits are those of a run that never stopped.</source>
        <translation>Startet alle Prozesse noch einmal, vom neuesten Checkpoint an: Die Bits sind die eines Laufs, der nie anhielt.</translation>
    </message>
    <message>
        <source>Ends worker %1 (%2) through mpirun, which reaches its host as when it was started. The others end too, as they do in TensorFlow.</source>
        <translation>Beendet Worker %1 (%2) durch mpirun, das seinen Host so erreicht wie beim Start. Auch die anderen enden, wie in TensorFlow.</translation>
    </message>
    <message>
        <source>✕ a worker…</source>
        <translation>✕ ein Worker …</translation>
    </message>
    <message>
        <source>Kill a worker</source>
        <translation>Einen Worker beenden</translation>
    </message>
</context>
<context>
    <name>lab::ProgramPane</name>
    <message>
        <source>Set-up; not part of any beat.</source>
        <translation>Vorbereitung; gehört zu keinem Takt.</translation>
    </message>
    <message>
        <source>Does: %1.</source>
        <translation>Tut: %1.</translation>
    </message>
    <message>
        <source>Click or Enter: the first step&apos;s beginning.</source>
        <translation>Klick oder Enter: zum Anfang des ersten Schritts.</translation>
    </message>
    <message>
        <source>This line runs outside the steps: no moment shows it.</source>
        <translation>Diese Zeile läuft außerhalb der Schritte: Kein Moment zeigt sie.</translation>
    </message>
    <message>
        <source>Click or Enter: to that moment.</source>
        <translation>Klick oder Enter: zu diesem Moment.</translation>
    </message>
    <message>
        <source>This step has no such moment.</source>
        <translation>Dieser Schritt hat keinen solchen Moment.</translation>
    </message>
    <message>
        <source>Line %1.</source>
        <translation>Zeile %1.</translation>
    </message>
    <message>
        <source>▶ Runs now.</source>
        <translation>▶ Läuft jetzt.</translation>
    </message>
    <message>
        <source>▷ Calls a line that runs now.</source>
        <translation>▷ Ruft eine Zeile auf, die jetzt läuft.</translation>
    </message>
    <message>
        <source>+ New with the last change of settings.</source>
        <translation>+ Neu durch die letzte Änderung der Einstellungen.</translation>
    </message>
    <message>
        <source>− Above it a line is gone.</source>
        <translation>− Darüber ist eine Zeile weggefallen.</translation>
    </message>
    <message>
        <source>▶ runs now · ▷ its caller · ◆ of the object pointed at · + changed · − line gone</source>
        <translation>▶ läuft jetzt · ▷ ruft sie auf · ◆ vom Objekt unter dem Zeiger · + geändert · − Zeile weg</translation>
    </message>
    <message>
        <source>Copy the &amp;whole program</source>
        <translation>Das &amp;ganze Programm kopieren</translation>
    </message>
    <message>
        <source>&amp;Save as a Python file…</source>
        <translation>Als Python-Datei &amp;speichern …</translation>
    </message>
    <message>
        <source>Save as a &amp;notebook…</source>
        <translation>Als &amp;Notebook speichern …</translation>
    </message>
    <message>
        <source>The selected lines are on the clipboard.</source>
        <translation>Die ausgewählten Zeilen sind in der Zwischenablage.</translation>
    </message>
    <message numerus="yes">
        <source>The program is on the clipboard: %Ln lines.</source>
        <translation>
            <numerusform>Das Programm ist in der Zwischenablage: %Ln Zeile.</numerusform>
            <numerusform>Das Programm ist in der Zwischenablage: %Ln Zeilen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Save the program as a notebook</source>
        <translation>Das Programm als Notebook speichern</translation>
    </message>
    <message>
        <source>Save the program</source>
        <translation>Das Programm speichern</translation>
    </message>
    <message>
        <source>Jupyter notebook (*.ipynb)</source>
        <translation>Jupyter-Notebook (*.ipynb)</translation>
    </message>
    <message>
        <source>Python (*.py)</source>
        <translation>Python (*.py)</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>TensorFlow program</source>
        <translation>TensorFlow-Programm</translation>
    </message>
    <message>
        <source>The program appears here as soon as there is a run.</source>
        <translation>Das Programm erscheint hier, sobald es einen Lauf gibt.</translation>
    </message>
    <message>
        <source>The TensorFlow program that does what the settings say. Lines that run at the shown moment are marked ▶, lines that call them ▷. Point at a line to see on the stage what it is about; click it, or press Enter, to go to its moment.</source>
        <translation>Das TensorFlow-Programm, das tut, was die Einstellungen sagen. Zeilen, die im gezeigten Moment laufen, sind mit ▶ markiert, Zeilen, die sie aufrufen, mit ▷. Zeigen Sie auf eine Zeile, um auf der Bühne zu sehen, worum es in ihr geht; ein Klick oder Enter führt zu ihrem Moment.</translation>
    </message>
    <message>
        <source>Keras fit</source>
        <translation>Keras fit</translation>
    </message>
    <message>
        <source>One line trains: model.fit</source>
        <translation>Eine Zeile trainiert: model.fit</translation>
    </message>
    <message>
        <source>Custom loop</source>
        <translation>Eigene Schleife</translation>
    </message>
    <message>
        <source>A custom training loop, which writes out each part of a step</source>
        <translation>Eine eigene Trainingsschleife, die jeden Teil eines Schritts ausschreibt</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>The selected lines; without a selection, the whole program</source>
        <translation>Die ausgewählten Zeilen; ohne Auswahl das ganze Programm</translation>
    </message>
    <message>
        <source>Save .py…</source>
        <translation>Als .py …</translation>
    </message>
    <message>
        <source>The whole program as a file of Python</source>
        <translation>Das ganze Programm als Python-Datei</translation>
    </message>
    <message>
        <source>Save .ipynb…</source>
        <translation>Als .ipynb …</translation>
    </message>
    <message>
        <source>The whole program as a Jupyter notebook, in parts</source>
        <translation>Das ganze Programm als Jupyter-Notebook, in Abschnitten</translation>
    </message>
    <message>
        <source>No line has changed.</source>
        <translation>Keine Zeile hat sich geändert.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln lines changed</source>
        <translation>
            <numerusform>%Ln Zeile geändert</numerusform>
            <numerusform>%Ln Zeilen geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 → %2: %3</source>
        <translation>%1 → %2: %3</translation>
    </message>
    <message numerus="yes">
        <source> (and %Ln comments or stand-ins)</source>
        <translation>
            <numerusform> (dazu %Ln Kommentar oder Ersatz)</numerusform>
            <numerusform> (dazu %Ln Kommentare oder Ersatz)</numerusform>
        </translation>
    </message>
    <message>
        <source>A custom loop, not Keras&apos;s fit: the program&apos;s first lines say why.</source>
        <translation>Eine eigene Schleife, nicht Keras’ fit: Die ersten Zeilen des Programms sagen, warum.</translation>
    </message>
    <message>
        <source>TensorFlow has no such strategy: this is the program of the nearest one.</source>
        <translation>TensorFlow hat keine solche Strategie: Dies ist das Programm der ähnlichsten.</translation>
    </message>
</context>
<context>
    <name>lab::QuestionView</name>
    <message>
        <source>Seal my answer</source>
        <translation>Versiegeln</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Hands for: %1</source>
        <translation>Hände für: %1</translation>
    </message>
    <message>
        <source>Sealed. Now let the program answer.</source>
        <translation>Versiegelt. Lassen Sie nun das Programm antworten.</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Not quite.</source>
        <translation>Nicht ganz.</translation>
    </message>
    <message>
        <source>It is: %1</source>
        <translation>Es ist: %1</translation>
    </message>
    <message>
        <source>You: %1. The program: %2.</source>
        <translation>Sie: %1. Das Programm: %2.</translation>
    </message>
    <message>
        <source>Dashed: your curve. Solid: the run. On average they are %1 apart.</source>
        <translation>Gestrichelt: Ihre Kurve. Durchgezogen: der Lauf. Im Mittel liegen sie %1 auseinander.</translation>
    </message>
    <message>
        <source>Lower than this curve</source>
        <translation>Niedriger als diese Kurve</translation>
    </message>
    <message>
        <source>Like this curve</source>
        <translation>Wie diese Kurve</translation>
    </message>
    <message>
        <source>Higher than this curve</source>
        <translation>Höher als diese Kurve</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Move the slider to answer.</source>
        <translation>Bewegen Sie den Regler, um zu antworten.</translation>
    </message>
    <message>
        <source>Count hands</source>
        <translation>Hände zählen</translation>
    </message>
    <message>
        <source>You: %1.</source>
        <translation>Sie: %1.</translation>
    </message>
    <message>
        <source>%1 (right)</source>
        <translation>%1 (richtig)</translation>
    </message>
    <message>
        <source>%1 (wrong)</source>
        <translation>%1 (falsch)</translation>
    </message>
</context>
<context>
    <name>lab::QuizAnswers</name>
    <message>
        <source>Your number</source>
        <translation>Ihre Zahl</translation>
    </message>
    <message>
        <source>An answer: choose it, then press Check.</source>
        <translation>Eine Antwort: Wählen Sie sie, und drücken Sie „Prüfen“.</translation>
    </message>
    <message>
        <source>An answer: write a number, then press Check.</source>
        <translation>Eine Antwort: Schreiben Sie eine Zahl, und drücken Sie „Prüfen“.</translation>
    </message>
</context>
<context>
    <name>lab::QuizView</name>
    <message>
        <source>Questions about data parallelism and tf.distribute. Check says what is wrong about an answer; Show me leads to the moment that proves the right one.</source>
        <translation>Fragen zu Datenparallelität und tf.distribute. „Prüfen“ sagt, was an einer Antwort falsch ist; „Zeig es mir“ führt zu dem Moment, der die richtige beweist.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Says whether the answer is right, and if not, why</source>
        <translation>Sagt, ob die Antwort richtig ist, und wenn nicht, warum</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeig es mir</translation>
    </message>
    <message>
        <source>Leads to the moment that proves the answer, once you have given one. Undo brings your experiment back.</source>
        <translation>Führt zu dem Moment, der die Antwort beweist, sobald Sie eine gegeben haben. Rückgängig bringt Ihr Experiment zurück.</translation>
    </message>
    <message>
        <source>Tell me</source>
        <translation>Sag es mir</translation>
    </message>
    <message>
        <source>Shows the right answer; it counts as not known</source>
        <translation>Zeigt die richtige Antwort; sie zählt als nicht gewusst</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>The question before</source>
        <translation>Die Frage davor</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>The next question</source>
        <translation>Die nächste Frage</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>One answer is right.</source>
        <translation>Eine Antwort ist richtig.</translation>
    </message>
    <message>
        <source>One or more answers are right.</source>
        <translation>Eine oder mehrere Antworten sind richtig.</translation>
    </message>
    <message>
        <source>Write a number.</source>
        <translation>Schreiben Sie eine Zahl.</translation>
    </message>
    <message>
        <source>Drag the lines into their order, or move one with Alt+Up and Alt+Down.</source>
        <translation>Ziehen Sie die Zeilen in ihre Reihenfolge, oder verschieben Sie eine mit Alt+Auf und Alt+Ab.</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Not quite. Change it and check again.</source>
        <translation>Nicht ganz. Ändern Sie es, und prüfen Sie noch einmal.</translation>
    </message>
    <message>
        <source>This is the right answer.</source>
        <translation>Das ist die richtige Antwort.</translation>
    </message>
    <message>
        <source>Show me: %1</source>
        <translation>Zeig es mir: %1</translation>
    </message>
    <message>
        <source>Question %1 of %2</source>
        <translation>Frage %1 von %2</translation>
    </message>
    <message>
        <source>No answers yet</source>
        <translation>Noch keine Antworten</translation>
    </message>
    <message>
        <source>Right at the first try: %1 of %2 answered</source>
        <translation>Beim ersten Versuch richtig: %1 von %2 beantworteten</translation>
    </message>
    <message>
        <source>Bring the score back</source>
        <translation>Stand zurückholen</translation>
    </message>
    <message>
        <source>About the slides: %1</source>
        <translation>Zu den Folien: %1</translation>
    </message>
    <message>
        <source>Right this time.</source>
        <translation>Jetzt richtig.</translation>
    </message>
    <message>
        <source>The quiz&apos;s question</source>
        <translation>Die Frage des Quiz</translation>
    </message>
    <message>
        <source>Resets the score and begins with the first question</source>
        <translation>Setzt den Stand zurück und beginnt mit der ersten Frage</translation>
    </message>
</context>
<context>
    <name>lab::RateField</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning rate: %1</source>
        <translation>Lernrate: %1</translation>
    </message>
    <message>
        <source>Each update&apos;s learning rate is divided by its staleness: how many updates its gradient has missed</source>
        <translation>Die Lernrate jedes Updates wird durch seine Staleness geteilt: wie viele Updates sein Gradient verpasst hat</translation>
    </message>
    <message>
        <source>The learning rate, and what its rule makes of it at this global batch: the rate unchanged, times the batch over 64, or times the square root of that</source>
        <translation>Die Lernrate und was ihre Regel bei diesem globalen Batch daraus macht: die Rate unverändert, mal Batch durch 64, oder mal die Wurzel daraus</translation>
    </message>
    <message>
        <source>It rises to that over %1 epochs</source>
        <translation>Sie steigt über %1 Epochen dahin an</translation>
    </message>
</context>
<context>
    <name>lab::ReportButton</name>
    <message>
        <source>Report…</source>
        <translation>Bericht …</translation>
    </message>
    <message>
        <source>Writes what the lanes show into an HTML or PDF file</source>
        <translation>Schreibt, was die Bahnen zeigen, in eine HTML- oder PDF-Datei</translation>
    </message>
    <message>
        <source>Writes one file about all lanes as they are now: the table, where the step&apos;s time goes, curves, settings and where they differ, and each strategy&apos;s program in TensorFlow. An HTML file needs no other files; a name that ends with .pdf gives pages to print.</source>
        <translation>Schreibt eine Datei über alle Bahnen, wie sie jetzt sind: die Tabelle, wohin die Zeit des Schritts geht, Kurven, Einstellungen und worin sie sich unterscheiden, und das Programm jeder Strategie in TensorFlow. Eine HTML-Datei braucht keine weiteren Dateien; ein Name, der mit .pdf endet, ergibt Seiten zum Drucken.</translation>
    </message>
    <message>
        <source>Write a report of the lanes</source>
        <translation>Bericht über die Bahnen schreiben</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>Webseite (*.html)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>No report: none of the lanes has trained a step yet.</source>
        <translation>Kein Bericht: Noch keine der Bahnen hat einen Schritt trainiert.</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>lab::RooflineChart</name>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Operations: %1.</source>
        <translation>Operationen: %1.</translation>
    </message>
    <message>
        <source>, GFLOP/s</source>
        <translation>, GFLOP/s</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/Byte</translation>
    </message>
    <message>
        <source>Each point is an operation: to the right with more arithmetic for each byte, higher with more arithmetic a second. The roofs are what the device can do at most: the slope is what the memory&apos;s bandwidth allows, the level is the peak of the arithmetic. The arrow keys go from point to point; a click chooses the operation in the table.</source>
        <translation>Jeder Punkt ist eine Operation: weiter rechts mit mehr Rechnen je Byte, höher mit mehr Rechnen je Sekunde. Die Dächer sind, was das Gerät höchstens leistet: die Schräge, was die Bandbreite des Speichers erlaubt, die Waagerechte die Spitze der Rechenleistung. Die Pfeiltasten gehen von Punkt zu Punkt; ein Klick wählt die Operation in der Tabelle.</translation>
    </message>
    <message>
        <source>%1 bound by memory</source>
        <translation>%1 durch den Speicher begrenzt</translation>
    </message>
    <message>
        <source>%1 bound by arithmetic</source>
        <translation>%1 durch die Rechenleistung begrenzt</translation>
    </message>
    <message>
        <source>%1 bound by launches</source>
        <translation>%1 durch Kernelstarts begrenzt</translation>
    </message>
</context>
<context>
    <name>lab::RunBar</name>
    <message>
        <source>Steps of the run</source>
        <translation>Schritte des Laufs</translation>
    </message>
    <message>
        <source>All steps that have been trained: drag to go to any of them. The marks are epochs.</source>
        <translation>Alle trainierten Schritte: Ziehen führt zu jedem von ihnen. Die Marken sind Epochen.</translation>
    </message>
    <message>
        <source>recomputing step %1 …</source>
        <translation>Schritt %1 wird neu berechnet …</translation>
    </message>
    <message>
        <source>preparing …</source>
        <translation>in Vorbereitung …</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source> · live %1</source>
        <translation> · live %1</translation>
    </message>
    <message>
        <source> · 1 of %1</source>
        <translation> · 1 von %1</translation>
    </message>
    <message>
        <source>waits for workers</source>
        <translation>wartet auf Worker</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
</context>
<context>
    <name>lab::RunFiles</name>
    <message>
        <source>The recording %1 is among the runs, without the settings that this version does not know: %2. Update StrategyLab before you repeat it.</source>
        <translation>Die Aufzeichnung %1 steht bei den Läufen, ohne die Einstellungen, die diese Version nicht kennt: %2. Aktualisieren Sie StrategyLab, bevor Sie sie wiederholen.</translation>
    </message>
    <message>
        <source>The recording %1 is of a class. The stage has its steps, trained again in the order in which they came.</source>
        <translation>Die Aufzeichnung %1 ist von einer Klasse. Die Bühne hat ihre Schritte, noch einmal trainiert in der Reihenfolge, in der sie kamen.</translation>
    </message>
    <message>
        <source>The recording %1 is among the runs. Repeat it to see its steps on the stage.</source>
        <translation>Die Aufzeichnung %1 steht bei den Läufen. Wiederholen Sie sie, um ihre Schritte auf der Bühne zu sehen.</translation>
    </message>
    <message>
        <source>The recording %1 is of a class. Its figures are among the runs; its steps came from workers at their own pace, and training alone cannot reproduce them.</source>
        <translation>Die Aufzeichnung %1 ist die einer Klasse. Ihre Zahlen stehen bei den Läufen; ihre Schritte kamen von Workern in deren eigenem Takt, und allein durch Training entstehen sie nicht noch einmal.</translation>
    </message>
    <message>
        <source>The recording %1 is of a class. Its figures are among the runs; “strategylab-cli replay” trains its steps again, in the order in which they came.</source>
        <translation>Die Aufzeichnung %1 ist von einer Klasse. Ihre Zahlen stehen bei den Läufen; „strategylab-cli replay“ trainiert ihre Schritte noch einmal, in der Reihenfolge, in der sie kamen.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln steps before that are whole, and are among the runs.</source>
        <translation>
            <numerusform>%Ln Schritt davor ist ganz und bei den Läufen.</numerusform>
            <numerusform>%Ln Schritte davor sind ganz und bei den Läufen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln curves of %1 are among the runs, to compare with.</source>
        <translation>
            <numerusform>%Ln Kurve aus %1 ist unter den Läufen, zum Vergleichen.</numerusform>
            <numerusform>%Ln Kurven aus %1 sind unter den Läufen, zum Vergleichen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
</context>
<context>
    <name>lab::RunNotice</name>
    <message>
        <source>Learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>Weiter ab Schritt %1</translation>
    </message>
    <message>
        <source>Use the built-in digits</source>
        <translation>Eingebaute Ziffern verwenden</translation>
    </message>
    <message>
        <source>Use this machine alone</source>
        <translation>Nur diesen Rechner nehmen</translation>
    </message>
    <message>
        <source>Use simulated devices</source>
        <translation>Simulierte Geräte nehmen</translation>
    </message>
    <message>
        <source>Serve to the class…</source>
        <translation>Für die Klasse bereitstellen …</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>The step cannot be shown: %1</source>
        <translation>Der Schritt kann nicht gezeigt werden: %1</translation>
    </message>
</context>
<context>
    <name>lab::RunTable</name>
    <message>
        <source>%1, failed</source>
        <translation>%1, fehlgeschlagen</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1
Seed %2, StrategyLab %3</source>
        <translation>%1
Seed %2, StrategyLab %3</translation>
    </message>
    <message>
        <source>, began %1</source>
        <translation>, begonnen %1</translation>
    </message>
    <message>
        <source>
From %1</source>
        <translation>
Aus %1</translation>
    </message>
    <message>
        <source>
The run on the stage</source>
        <translation>
Der Lauf auf der Bühne</translation>
    </message>
    <message>
        <source>
The baseline: others say in brackets how they differ</source>
        <translation>
Die Vergleichsbasis: Andere nennen in Klammern ihre Abweichung</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>Letzter Verlust</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>Testgenauigkeit</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>%1
A curve to compare with: its settings are not known</source>
        <translation>%1
Eine Kurve zum Vergleichen: Ihre Einstellungen sind nicht bekannt</translation>
    </message>
    <message>
        <source>modelled, older model</source>
        <translation>modelliert, älteres Modell</translation>
    </message>
    <message>
        <source>
Its times come from an older timing model: new runs with the same settings have other times</source>
        <translation>
Seine Zeiten stammen von einem älteren Zeitmodell: Neue Läufe mit denselben Einstellungen haben andere Zeiten</translation>
    </message>
    <message>
        <source>%1, diverged at step %2</source>
        <translation>%1, ab Schritt %2 divergiert</translation>
    </message>
    <message>
        <source>%1, ended with an error</source>
        <translation>%1, endete mit einem Fehler</translation>
    </message>
    <message>
        <source>All images divided by the whole time, including the remainders of epochs, on the run&apos;s own clock</source>
        <translation>Alle Bilder geteilt durch die ganze Zeit, mit den Resten der Epochen, auf der Uhr des Laufs</translation>
    </message>
    <message>
        <source>Images/s, mean of the run</source>
        <translation>Bilder/s, Mittel des Laufs</translation>
    </message>
</context>
<context>
    <name>lab::RunUntil</name>
    <message>
        <source>Another run has begun.</source>
        <translation>Ein anderer Lauf hat begonnen.</translation>
    </message>
    <message>
        <source>There is no run yet.</source>
        <translation>Es gibt noch keinen Lauf.</translation>
    </message>
    <message>
        <source>A run never measures its test accuracy, since its setting Eval every is 0. Set a number of steps.</source>
        <translation>Ein Lauf misst seine Testgenauigkeit nie, denn seine Einstellung „Auswerten alle“ ist 0. Geben Sie eine Zahl von Schritten an.</translation>
    </message>
    <message>
        <source>There is one copy of the variables: nothing can differ from it.</source>
        <translation>Es gibt eine Kopie der Variablen: Nichts kann von ihr abweichen.</translation>
    </message>
    <message>
        <source>This needs two lanes: compare with another run.</source>
        <translation>Dafür sind zwei Bahnen nötig: Vergleichen Sie mit einem anderen Lauf.</translation>
    </message>
    <message>
        <source>Weights are compared step by step: set Align by to step.</source>
        <translation>Gewichte werden Schritt für Schritt verglichen: Stellen Sie „Ausrichten nach“ auf Schritt.</translation>
    </message>
    <message>
        <source>Stopped at step %1.</source>
        <translation>Angehalten bei Schritt %1.</translation>
    </message>
    <message>
        <source>Not reached: training ended after step %1.</source>
        <translation>Nicht erreicht: Das Training endete nach Schritt %1.</translation>
    </message>
    <message>
        <source>Step %1 …</source>
        <translation>Schritt %1 …</translation>
    </message>
    <message>
        <source>Reached: step %1.</source>
        <translation>Erreicht: Schritt %1.</translation>
    </message>
    <message>
        <source>Reached: epoch %1, after step %2.</source>
        <translation>Erreicht: Epoche %1, nach Schritt %2.</translation>
    </message>
    <message>
        <source>Reached: test accuracy %1 at step %2.</source>
        <translation>Erreicht: Testgenauigkeit %1 bei Schritt %2.</translation>
    </message>
    <message>
        <source>%1 All lanes have reached it now.</source>
        <translation>%1 Alle Bahnen haben sie jetzt erreicht.</translation>
    </message>
    <message>
        <source>Diverged: the loss is %1 at step %2.</source>
        <translation>Divergiert: Der Verlust ist %1 bei Schritt %2.</translation>
    </message>
    <message>
        <source>Diverged: the loss is not a number from step %1 on.</source>
        <translation>Divergiert: Der Verlust ist ab Schritt %1 keine Zahl mehr.</translation>
    </message>
    <message>
        <source>The copies of the variables differ after step %1.</source>
        <translation>Die Kopien der Variablen unterscheiden sich nach Schritt %1.</translation>
    </message>
    <message>
        <source>%1 is %2 from %3 after step %4.</source>
        <translation>%1 ist nach Schritt %4 um %2 von %3 entfernt.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>lane, sentence</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>lab::RunUntilDialog</name>
    <message>
        <source>Run until</source>
        <translation>Laufen bis</translation>
    </message>
    <message>
        <source>&amp;Until</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <source>&amp;Value</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>&amp;In</source>
        <translation>&amp;In</translation>
    </message>
    <message>
        <source>What to run until</source>
        <translation>Bis wann gelaufen wird</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>zu einem Schritt</translation>
    </message>
    <message>
        <source>the end of an epoch</source>
        <translation>zum Ende einer Epoche</translation>
    </message>
    <message>
        <source>an accuracy on the test images</source>
        <translation>zu einer Genauigkeit auf den Testbildern</translation>
    </message>
    <message>
        <source>the loss diverges</source>
        <translation>der Verlust divergiert</translation>
    </message>
    <message>
        <source>the copies of the variables differ</source>
        <translation>die Kopien der Variablen sich unterscheiden</translation>
    </message>
    <message>
        <source>The loss is no longer a number, or it is ten times as high as at the beginning and does not come down again.</source>
        <translation>Der Verlust ist keine Zahl mehr, oder er ist zehnmal so hoch wie am Anfang und sinkt nicht wieder.</translation>
    </message>
    <message>
        <source>Number of the step</source>
        <translation>Nummer des Schritts</translation>
    </message>
    <message>
        <source>Number of epochs that are over</source>
        <translation>Zahl der Epochen, die vorbei sind</translation>
    </message>
    <message>
        <source>Accuracy on the test images</source>
        <translation>Genauigkeit auf den Testbildern</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Which lanes must reach it</source>
        <translation>Welche Bahnen sie erreichen müssen</translation>
    </message>
    <message>
        <source>the first lane that reaches it</source>
        <translation>der ersten Bahn, die sie erreicht</translation>
    </message>
    <message>
        <source>all lanes</source>
        <translation>allen Bahnen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Laufen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>Weight distance, ‖w − b‖ / ‖b‖</source>
        <translation>Gewichtsabstand, ‖w − b‖ / ‖b‖</translation>
    </message>
    <message>
        <source>the weights of two lanes are this far apart</source>
        <translation>die Gewichte zweier Bahnen so weit auseinander sind</translation>
    </message>
</context>
<context>
    <name>lab::ScalingView</name>
    <message>
        <source>Scaling curve, modelled</source>
        <translation>Skalierungskurve, modelliert</translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices: %1, efficiency %2 %</source>
        <translation>
            <numerusform>%Ln Gerät: %1, Effizienz %2 %</numerusform>
            <numerusform>%Ln Geräte: %1, Effizienz %2 %</numerusform>
        </translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>je Schritt</translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, %1 examples each: %2, %3, efficiency %4 % (modelled)</source>
        <translation>
            <numerusform>%Ln Gerät mit %1 Beispielen: %2, %3, Effizienz %4 % (modelliert)</numerusform>
            <numerusform>%Ln Geräte mit je %1 Beispielen: %2, %3, Effizienz %4 % (modelliert)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices: %1× the images a second of one</source>
        <translation>
            <numerusform>%Ln Gerät: %1-mal die Bilder je Sekunde von einem</numerusform>
            <numerusform>%Ln Geräte: %1-mal die Bilder je Sekunde von einem</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. Sharing the batch saves %2 a step, %3 adds %4.</source>
        <translation>%1. Den Batch zu teilen spart %2 je Schritt, durch %3 kommen %4 hinzu.</translation>
    </message>
    <message>
        <source>Thin line: %1</source>
        <translation>Dünne Linie: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln examples each: %1</source>
        <translation>
            <numerusform>je %Ln Beispiel: %1</numerusform>
            <numerusform>je %Ln Beispiele: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. One takes %2 a step; %3 adds %4.</source>
        <translation>%1. Eines braucht %2 je Schritt; durch %3 kommen %4 hinzu.</translation>
    </message>
    <message>
        <source>%1. One takes %2 a step; %3 adds %4, the rest %5.</source>
        <translation>%1. Eines braucht %2 je Schritt; durch %3 kommen %4 hinzu, durch den Rest %5.</translation>
    </message>
    <message>
        <source>%1. One takes %2 a step; %3 adds %4, the rest takes %5 less.</source>
        <translation>%1. Eines braucht %2 je Schritt; durch %3 kommen %4 hinzu, der Rest braucht %5 weniger.</translation>
    </message>
    <message>
        <source>From %1 devices on, over hosts of %2 each.</source>
        <translation>Ab %1 Geräten über Hosts mit je %2.</translation>
    </message>
    <message>
        <source>Open and dashed: extrapolated; there is no such host.</source>
        <translation>Offen und gestrichelt: extrapoliert; solche Hosts gibt es nicht.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln devices, up to %1 examples each: %2, %3, efficiency %4 % (modelled)</source>
        <translation>
            <numerusform>%Ln Gerät mit bis zu %1 Beispielen: %2, %3, Effizienz %4 % (modelliert)</numerusform>
            <numerusform>%Ln Geräte mit je bis zu %1 Beispielen: %2, %3, Effizienz %4 % (modelliert)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>up to %Ln examples each: %1</source>
        <translation>
            <numerusform>je bis zu %Ln Beispiel: %1</numerusform>
            <numerusform>je bis zu %Ln Beispiele: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1. A step takes as long: %2.</source>
        <translation>%1. Ein Schritt dauert gleich lang: %2.</translation>
    </message>
</context>
<context>
    <name>lab::SceneBatch</name>
    <message numerus="yes">
        <source>global batch: %Ln images from %1</source>
        <translation>
            <numerusform>globaler Batch: %Ln Bild aus %1</numerusform>
            <numerusform>globaler Batch: %Ln Bilder aus %1</numerusform>
        </translation>
    </message>
    <message>
        <source> (the first %1 drawn)</source>
        <translation> (die ersten %1 gezeichnet)</translation>
    </message>
    <message numerus="yes">
        <source>global batch: %Ln images</source>
        <translation>
            <numerusform>globaler Batch: %Ln Bild</numerusform>
            <numerusform>globaler Batch: %Ln Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>handed out to %Ln workers</source>
        <translation>
            <numerusform>an %Ln Worker verteilt</numerusform>
            <numerusform>an %Ln Worker verteilt</numerusform>
        </translation>
    </message>
    <message>
        <source>the device has them</source>
        <translation>das Gerät hat sie</translation>
    </message>
    <message numerus="yes">
        <source>handed out: %Ln images to each replica</source>
        <translation>
            <numerusform>verteilt: %Ln Bild an jedes Replikat</numerusform>
            <numerusform>verteilt: %Ln Bilder an jedes Replikat</numerusform>
        </translation>
    </message>
    <message>
        <source>handed out to the replicas</source>
        <translation>an die Replikate verteilt</translation>
    </message>
</context>
<context>
    <name>lab::SceneBeats</name>
    <message>
        <source>scale</source>
        <translation>skalieren</translation>
    </message>
    <message>
        <source>brightest: %1</source>
        <translation>hellstes: %1</translation>
    </message>
    <message>
        <source>%1 ÷ 255 = %2</source>
        <translation>%1 ÷ 255 = %2</translation>
    </message>
    <message>
        <source>WRONG reduce(SUM): %1</source>
        <translation>FALSCH reduce(SUM): %1</translation>
    </message>
    <message>
        <source>reduce(SUM): %1</source>
        <translation>reduce(SUM): %1</translation>
    </message>
    <message>
        <source>WRONG: </source>
        <translation>FALSCH: </translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
    <message>
        <source>sum ÷ %1</source>
        <translation>Summe ÷ %1</translation>
    </message>
    <message>
        <source>mean of %1 ÷ %2</source>
        <translation>Mittel von %1 ÷ %2</translation>
    </message>
    <message>
        <source>no images: 0</source>
        <translation>keine Bilder: 0</translation>
    </message>
    <message>
        <source>left out: 0</source>
        <translation>ausgelassen: 0</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>the losses of its steps are not known here</source>
        <translation>die Verluste ihrer Schritte sind hier nicht bekannt</translation>
    </message>
    <message>
        <source>epoch %1: mean of the losses of %2 steps = %3</source>
        <translation>Epoche %1: Mittelwert der Verluste von %2 Schritten = %3</translation>
    </message>
    <message>
        <source>over all images, as fit prints at the epoch&apos;s end: %1</source>
        <translation>über alle Bilder, wie fit ihn am Ende der Epoche ausgibt: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln test images</source>
        <translation>
            <numerusform>%Ln Testbild</numerusform>
            <numerusform>%Ln Testbilder</numerusform>
        </translation>
    </message>
    <message>
        <source>the result is not there yet</source>
        <translation>das Ergebnis ist noch nicht da</translation>
    </message>
    <message>
        <source>accuracy %1 · test loss %2</source>
        <translation>Genauigkeit %1 · Testverlust %2</translation>
    </message>
    <message numerus="yes">
        <source>over %Ln test images</source>
        <translation>
            <numerusform>über %Ln Testbild</numerusform>
            <numerusform>über %Ln Testbilder</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 right</source>
        <translation>%1 von %2 richtig</translation>
    </message>
    <message>
        <source>each replica counts its right answers</source>
        <translation>jedes Replikat zählt seine richtigen Antworten</translation>
    </message>
    <message>
        <source>reduce(SUM): %1 right of %2</source>
        <translation>reduce(SUM): %1 richtige von %2</translation>
    </message>
</context>
<context>
    <name>lab::SceneBuffers</name>
    <message>
        <source>its gradient</source>
        <translation>sein Gradient</translation>
    </message>
    <message>
        <source>its part of the sum</source>
        <translation>sein Teil der Summe</translation>
    </message>
    <message>
        <source>partly summed</source>
        <translation>teilweise summiert</translation>
    </message>
    <message>
        <source>sum of %1 of %2 gradients</source>
        <translation>Summe von %1 der %2 Gradienten</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>sum of both gradients</source>
        <translation>Summe beider Gradienten</translation>
    </message>
    <message>
        <source>sum of both</source>
        <translation>Summe beider</translation>
    </message>
    <message>
        <source>sum of all %1 gradients</source>
        <translation>Summe aller %1 Gradienten</translation>
    </message>
    <message>
        <source>sum of all</source>
        <translation>Summe aller</translation>
    </message>
    <message>
        <source>gradient: too late, left out</source>
        <translation>Gradient: zu spät, nicht dabei</translation>
    </message>
    <message>
        <source>gradient: not computed yet</source>
        <translation>Gradient: noch nicht berechnet</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>biases</source>
        <translation>Bias-Werte</translation>
    </message>
    <message>
        <source>%1: kernel</source>
        <translation>%1: Kernel</translation>
    </message>
    <message>
        <source>%1: kernel and biases</source>
        <translation>%1: Kernel und Bias-Werte</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittelwert</translation>
    </message>
</context>
<context>
    <name>lab::SceneBuilder</name>
    <message numerus="yes">
        <source>%Ln workers</source>
        <translation>
            <numerusform>%Ln Worker</numerusform>
            <numerusform>%Ln Worker</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln replicas</source>
        <translation>
            <numerusform>%Ln Replikat</numerusform>
            <numerusform>%Ln Replikate</numerusform>
        </translation>
    </message>
    <message>
        <source>simulated %1</source>
        <translation>%1 simuliert</translation>
    </message>
    <message>
        <source>real %1</source>
        <translation>%1 echt</translation>
    </message>
    <message>
        <source>drawn %1 to a column</source>
        <translation>je Spalte %1 gezeichnet</translation>
    </message>
    <message>
        <source>step %1 · %2 · %3</source>
        <translation>Schritt %1 · %2 · %3</translation>
    </message>
    <message>
        <source>modelled clock</source>
        <translation>modellierte Uhr</translation>
    </message>
    <message>
        <source>measured clock</source>
        <translation>gemessene Uhr</translation>
    </message>
    <message>
        <source>host %1: its own program, its own input pipeline</source>
        <translation>Host %1: eigenes Programm, eigene Eingabe-Pipeline</translation>
    </message>
    <message>
        <source>TF_CONFIG</source>
        <translation>TF_CONFIG</translation>
    </message>
    <message>
        <source>host %1: its own program</source>
        <translation>Host %1: eigenes Programm</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>worker %1 · process %2 on %3</source>
        <translation>Worker %1 · Prozess %2 auf %3</translation>
    </message>
    <message>
        <source>worker %1 · %2 · %3</source>
        <translation>Worker %1 · %2 · %3</translation>
    </message>
    <message>
        <source>worker %1 · %2</source>
        <translation>Worker %1 · %2</translation>
    </message>
    <message>
        <source>%1 after the start</source>
        <translation>%1 nach dem Start</translation>
    </message>
    <message>
        <source>%1 after step %2</source>
        <translation>%1 nach Schritt %2</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>Schritt %1 · %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>gradients ±%1</source>
        <translation>Gradienten ±%1</translation>
    </message>
    <message>
        <source>weights ±%1</source>
        <translation>Gewichte ±%1</translation>
    </message>
    <message>
        <source>step %1 · times were not recorded</source>
        <translation>Schritt %1 · Zeiten wurden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>host %1: its own input pipeline</source>
        <translation>Host %1: eigene Eingabe-Pipeline</translation>
    </message>
</context>
<context>
    <name>lab::SceneCanvas</name>
    <message>
        <source>colour scale: ±%1</source>
        <translation>Farbskala: ±%1</translation>
    </message>
</context>
<context>
    <name>lab::SceneColumns</name>
    <message>
        <source>%1× slower · </source>
        <translation>%1× langsamer · </translation>
    </message>
    <message>
        <source>SIMULATED</source>
        <translation>SIMULIERT</translation>
    </message>
    <message>
        <source>REAL GPU</source>
        <translation>ECHTE GPU</translation>
    </message>
    <message>
        <source>REAL CPU</source>
        <translation>ECHTE CPU</translation>
    </message>
    <message numerus="yes">
        <source>%Ln images</source>
        <translation>
            <numerusform>%Ln Bild</numerusform>
            <numerusform>%Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>no batch now</source>
        <translation>gerade kein Batch</translation>
    </message>
    <message>
        <source>no batch yet</source>
        <translation>noch kein Batch</translation>
    </message>
    <message numerus="yes">
        <source>its last batch: %Ln images</source>
        <translation>
            <numerusform>sein letzter Batch: %Ln Bild</numerusform>
            <numerusform>sein letzter Batch: %Ln Bilder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>its own batch: %Ln images</source>
        <translation>
            <numerusform>eigener Batch: %Ln Bild</numerusform>
            <numerusform>eigener Batch: %Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source> · each counts %1</source>
        <translation> · je %1</translation>
    </message>
    <message>
        <source> · each %1</source>
        <translation> · je %1</translation>
    </message>
    <message>
        <source> · %1 recognised</source>
        <translation> · %1 erkannt</translation>
    </message>
    <message>
        <source> (%1 not drawn)</source>
        <translation> (%1 nicht gezeichnet)</translation>
    </message>
    <message>
        <source>gets no image</source>
        <translation>bekommt kein Bild</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message numerus="yes">
        <source>waits for %Ln images</source>
        <translation>
            <numerusform>wartet auf %Ln Bild</numerusform>
            <numerusform>wartet auf %Ln Bilder</numerusform>
        </translation>
    </message>
    <message>
        <source>waits: %1</source>
        <translation>wartet: %1</translation>
    </message>
    <message>
        <source>too late: left out</source>
        <translation>zu spät: ausgelassen</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>queues</source>
        <translation>steht an</translation>
    </message>
    <message>
        <source>pulls</source>
        <translation>holt</translation>
    </message>
    <message>
        <source>pushes</source>
        <translation>schickt</translation>
    </message>
    <message>
        <source>gradient applied</source>
        <translation>Gradient angewandt</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>∇ applied</source>
        <translation>∇ angewandt</translation>
    </message>
    <message>
        <source> (mean)</source>
        <translation> (Mittel)</translation>
    </message>
    <message>
        <source>1/%1 of %2</source>
        <translation>1/%1 von %2</translation>
    </message>
    <message>
        <source>%1 stale</source>
        <translation>%1 alt</translation>
    </message>
</context>
<context>
    <name>lab::SceneCoordinator</name>
    <message>
        <source>coordinator: one closure at a time for every worker</source>
        <translation>Koordinator: für jeden Worker eine Closure nach der anderen</translation>
    </message>
    <message>
        <source>queues</source>
        <translation>steht an</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>pulls</source>
        <translation>holt</translation>
    </message>
    <message>
        <source>pushes</source>
        <translation>schickt</translation>
    </message>
    <message>
        <source>gradient of %1 applied</source>
        <translation>Gradient von %1 angewandt</translation>
    </message>
    <message>
        <source>%1: ∇ applied</source>
        <translation>%1: ∇ angewandt</translation>
    </message>
    <message>
        <source>worker %1: no answer</source>
        <translation>Worker %1: keine Antwort</translation>
    </message>
    <message>
        <source>staleness of all updates</source>
        <translation>Staleness aller Updates</translation>
    </message>
    <message>
        <source>closure of %1</source>
        <translation>Closure von %1</translation>
    </message>
    <message>
        <source>%1: no answer</source>
        <translation>%1: keine Antwort</translation>
    </message>
</context>
<context>
    <name>lab::SceneFaults</name>
    <message>
        <source>✕ the coordinator is dead</source>
        <translation>✕ der Koordinator ist tot</translation>
    </message>
    <message>
        <source>✕ dead</source>
        <translation>✕ tot</translation>
    </message>
    <message>
        <source>✕ parameter server %1 is dead</source>
        <translation>✕ Parameterserver %1 ist tot</translation>
    </message>
    <message>
        <source>✕ worker %1 was killed</source>
        <translation>✕ Worker %1 wurde beendet</translation>
    </message>
    <message>
        <source>✕ worker %1</source>
        <translation>✕ Worker %1</translation>
    </message>
    <message>
        <source>after step %1</source>
        <translation>nach Schritt %1</translation>
    </message>
</context>
<context>
    <name>lab::SceneMoment</name>
    <message>
        <source>has left</source>
        <translation>ist gegangen</translation>
    </message>
</context>
<context>
    <name>lab::SceneServers</name>
    <message>
        <source>parameter server %1 · %2 · %3 % of all bytes</source>
        <translation>Parameterserver %1 · %2 · %3 % aller Bytes</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 %</source>
        <translation>%1 · %2 · %3 %</translation>
    </message>
    <message>
        <source>%1 · %2 %</source>
        <translation>%1 · %2 %</translation>
    </message>
    <message>
        <source>change · %1</source>
        <translation>Änderung · %1</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>CPU:0 · the only copy of the variables, and where gradients are added</source>
        <translation>CPU:0 · die einzige Kopie der Variablen; hier werden Gradienten addiert</translation>
    </message>
    <message>
        <source>CPU:0 · the only copy of the variables</source>
        <translation>CPU:0 · die einzige Kopie der Variablen</translation>
    </message>
    <message>
        <source>sum of gradients: empty</source>
        <translation>Summe der Gradienten: leer</translation>
    </message>
    <message>
        <source>sum of gradients: %1 % of it added</source>
        <translation>Summe der Gradienten: %1 % davon addiert</translation>
    </message>
    <message>
        <source>Σ: the sum of both gradients</source>
        <translation>Σ: die Summe beider Gradienten</translation>
    </message>
    <message>
        <source>Σ: the sum of all %1 gradients</source>
        <translation>Σ: die Summe aller %1 Gradienten</translation>
    </message>
</context>
<context>
    <name>lab::SceneSums</name>
    <message>
        <source>left out: 0</source>
        <translation>ausgelassen: 0</translation>
    </message>
    <message>
        <source>weights of %1</source>
        <translation>Gewichte von %1</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>Gradient von %1</translation>
    </message>
    <message>
        <source>%1 of %2 averaged</source>
        <translation>%1 von %2 gemittelt</translation>
    </message>
    <message>
        <source>sum of %1 of %2</source>
        <translation>Summe von %1 der %2</translation>
    </message>
    <message>
        <source>already averaged</source>
        <translation>schon gemittelt</translation>
    </message>
    <message>
        <source>averaged later</source>
        <translation>wird später gemittelt</translation>
    </message>
    <message>
        <source>already the sum of all</source>
        <translation>schon die Summe aller</translation>
    </message>
    <message>
        <source>already summed</source>
        <translation>schon summiert</translation>
    </message>
    <message>
        <source>not in this hop</source>
        <translation>nicht in dieser Etappe</translation>
    </message>
    <message>
        <source>not now</source>
        <translation>nicht jetzt</translation>
    </message>
    <message>
        <source>its sum comes later</source>
        <translation>seine Summe kommt später</translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>= mean of these %1</source>
        <translation>= Mittelwert dieser %1</translation>
    </message>
    <message>
        <source>= mean</source>
        <translation>= Mittelwert</translation>
    </message>
    <message>
        <source>= sum of %1 of %2</source>
        <translation>= Summe von %1 der %2</translation>
    </message>
    <message>
        <source>= sum of both</source>
        <translation>= Summe beider</translation>
    </message>
    <message>
        <source>= sum of all %1</source>
        <translation>= Summe aller %1</translation>
    </message>
    <message>
        <source>= sum</source>
        <translation>= Summe</translation>
    </message>
</context>
<context>
    <name>lab::SceneTransfers</name>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
</context>
<context>
    <name>lab::SceneWeights</name>
    <message>
        <source>gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>→ %1, learning rate %2 → change</source>
        <translation>→ %1, Lernrate %2 → Änderung</translation>
    </message>
    <message>
        <source>→ %1 → change</source>
        <translation>→ %1 → Änderung</translation>
    </message>
    <message>
        <source>%1 + change = %2</source>
        <translation>%1 + Änderung = %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>− %1 of the servers</source>
        <translation>− %1 der Server</translation>
    </message>
    <message>
        <source>%1 of %2: not recorded</source>
        <translation>%1 von %2: nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>laid over the other copy</source>
        <translation>über die andere Kopie gelegt</translation>
    </message>
    <message>
        <source>laid over every other copy</source>
        <translation>liegt über jeder anderen Kopie</translation>
    </message>
    <message>
        <source>laid over the others</source>
        <translation>liegt über den anderen</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>= difference</source>
        <translation>= Unterschied</translation>
    </message>
    <message>
        <source>= difference: none, every bit is equal</source>
        <translation>= Unterschied: keiner, jedes Bit ist gleich</translation>
    </message>
    <message>
        <source>= none: equal bits</source>
        <translation>= keiner: gleiche Bits</translation>
    </message>
    <message>
        <source>= difference: not recorded</source>
        <translation>= Unterschied: nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>= difference ×%1</source>
        <translation>= Unterschied ×%1</translation>
    </message>
</context>
<context>
    <name>lab::Scrubber</name>
    <message>
        <source>Moments of the present step</source>
        <translation>Momente des gezeigten Schritts</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
</context>
<context>
    <name>lab::Section</name>
    <message>
        <source>Folds and unfolds this group</source>
        <translation>Klappt diese Gruppe zu und auf</translation>
    </message>
</context>
<context>
    <name>lab::SeriesChart</name>
    <message>
        <source>%1: %2 at %3 %4</source>
        <translation>%1: %2 bei %3 %4</translation>
    </message>
    <message>
        <source>exactly 0</source>
        <translation>genau 0</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>divergiert</translation>
    </message>
</context>
<context>
    <name>lab::ServeDialog</name>
    <message>
        <source>Serve to the class</source>
        <translation>Für die Klasse bereitstellen</translation>
    </message>
    <message>
        <source>Students join with a QR code or a link and train this experiment together, each in a browser.</source>
        <translation>Lernende treten mit einem QR-Code oder einem Link bei und trainieren dieses Experiment gemeinsam, alle in einem Browser.</translation>
    </message>
    <message>
        <source>&amp;Serve</source>
        <translation>&amp;Bereitstellen</translation>
    </message>
    <message>
        <source>strategylab-class, the program that serves a class, is missing. Build it in StrategyLab&apos;s folder, which takes half a minute: %1. Or name it in the environment variable STRATEGYLAB_CLASS_PROGRAM.</source>
        <translation>strategylab-class, das Programm für eine Klasse, fehlt. Bauen Sie es im Ordner von StrategyLab; das dauert eine halbe Minute: %1. Oder nennen Sie es in der Umgebungsvariable STRATEGYLAB_CLASS_PROGRAM.</translation>
    </message>
    <message>
        <source>&amp;Copy the command</source>
        <translation>Befehl &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Look again</source>
        <translation>Noch einmal &amp;nachsehen</translation>
    </message>
    <message>
        <source>%1, on %2</source>
        <comment>an address, a network device</comment>
        <translation>%1, an %2</translation>
    </message>
    <message>
        <source>%1, only this machine</source>
        <translation>%1, nur dieser Rechner</translation>
    </message>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>Updates are made</source>
        <translation>Ein Update geschieht</translation>
    </message>
    <message>
        <source>&amp;Updates</source>
        <translation>&amp;Updates</translation>
    </message>
    <message>
        <source>The more images, the longer a worker computes between its pull and its push</source>
        <translation>Je mehr Bilder, desto länger rechnet ein Worker zwischen dem Holen und dem Schicken</translation>
    </message>
    <message>
        <source>&amp;Images in each closure</source>
        <translation>Bilder in &amp;jeder Closure</translation>
    </message>
    <message>
        <source>Only this machine can join: its browser, and strategylab-cli join.</source>
        <translation>Nur dieser Rechner kann beitreten: sein Browser und strategylab-cli join.</translation>
    </message>
    <message>
        <source>Plain HTTP: everybody in this network can read what is sent and change it. What is sent holds no accounts and no secrets: published digits, weights and gradients.</source>
        <translation>Unverschlüsseltes HTTP: Jeder in diesem Netz kann mitlesen und verändern, was gesendet wird. Das Gesendete enthält keine Konten und keine Geheimnisse: veröffentlichte Ziffern, Gewichte und Gradienten.</translation>
    </message>
    <message>
        <source>&amp;Workers for the first update</source>
        <translation>&amp;Worker für das erste Update</translation>
    </message>
    <message>
        <source>as each gradient arrives</source>
        <translation>sobald ein Gradient kommt</translation>
    </message>
    <message>
        <source>in step, when all have pushed</source>
        <translation>im Gleichschritt, wenn alle geschickt haben</translation>
    </message>
    <message>
        <source>in step, without the slowest</source>
        <translation>im Gleichschritt, ohne die langsamsten</translation>
    </message>
    <message>
        <source>In step, the learning rate is meant for this number of workers, however many join later</source>
        <translation>Im Gleichschritt ist die Lernrate für diese Zahl von Workern gedacht, egal wie viele später da sind</translation>
    </message>
    <message>
        <source>Send as &amp;bfloat16</source>
        <translation>Als &amp;bfloat16 senden</translation>
    </message>
    <message>
        <source>Weights and gradients in half the bytes: up to twice as many updates where all workers wait for one access point. Each number keeps two or three digits. Measured after 1,000 updates of four workers on the digits: a test loss of 0.117 to 0.121, and with float32 0.118 to 0.122.</source>
        <translation>Gewichte und Gradienten in halb so vielen Bytes: bis zu doppelt so viele Updates, wo alle Worker auf einen Access Point warten. Von jeder Zahl bleiben zwei oder drei Stellen. Gemessen nach 1.000 Updates von vier Workern mit den Ziffern: ein Testverlust von 0,117 bis 0,121, und mit float32 0,118 bis 0,122.</translation>
    </message>
    <message>
        <source>In step weights and gradients are sent as they are, as float32.</source>
        <translation>Im Gleichschritt werden Gewichte und Gradienten gesendet, wie sie sind, als float32.</translation>
    </message>
    <message>
        <source>Plain HTTP: everybody in this network can read what is sent and change it: weights, gradients and the training images in your folder. Serve only images that all of them may see.</source>
        <translation>Unverschlüsseltes HTTP: Jeder in diesem Netz kann mitlesen und verändern, was gesendet wird: Gewichte, Gradienten und die Trainingsbilder aus Ihrem Ordner. Geben Sie nur Bilder an die Klasse, die alle dort sehen dürfen.</translation>
    </message>
</context>
<context>
    <name>lab::ServedClass</name>
    <message>
        <source>%1 (%2)</source>
        <comment>a worker&apos;s name, its student&apos;s</comment>
        <translation>%1 (%2)</translation>
    </message>
</context>
<context>
    <name>lab::Session</name>
    <message>
        <source>StrategyLab ended unexpectedly. Settings and runs are restored as they were at %1.</source>
        <translation>StrategyLab wurde unerwartet beendet. Einstellungen und Läufe sind wiederhergestellt, wie sie um %1 waren.</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>%1 kann nicht gelesen werden.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln steps before that are stored.</source>
        <translation>
            <numerusform>%Ln Schritt davor ist gespeichert.</numerusform>
            <numerusform>%Ln Schritte davor sind gespeichert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs of the last session are damaged: %1</source>
        <translation>Läufe der letzten Sitzung sind beschädigt: %1</translation>
    </message>
    <message>
        <source>StrategyLab ended unexpectedly. Its runs are restored as they were at %1.</source>
        <translation>StrategyLab wurde unerwartet beendet. Die Läufe sind wiederhergestellt, wie sie um %1 waren.</translation>
    </message>
    <message>
        <source>The last session&apos;s settings cannot be used here: %1 They are stored in &apos;%2&apos;: open that file once the cause is gone. Its runs are restored.</source>
        <translation>Die Einstellungen der letzten Sitzung lassen sich hier nicht verwenden: %1 Sie sind in „%2“ gespeichert: Öffnen Sie diese Datei, wenn das behoben ist. Die Läufe sind wiederhergestellt.</translation>
    </message>
    <message>
        <source>The last session cannot be read: it is damaged, or a newer StrategyLab stored it. Its files are now in &apos;%1&apos;: move them back to use them with that version, or delete them.</source>
        <translation>Die letzte Sitzung lässt sich nicht lesen: Sie ist beschädigt, oder ein neueres StrategyLab hat sie gespeichert. Ihre Dateien liegen jetzt in „%1“: Verschieben Sie sie zurück, um sie mit jener Version zu verwenden, oder löschen Sie sie.</translation>
    </message>
    <message>
        <source>The last session&apos;s experiment was not saved, and this start begins another one. It is stored in &apos;%1&apos;: open that file to go on with it.</source>
        <translation>Das Experiment der letzten Sitzung wurde nicht gespeichert, und dieser Start beginnt ein anderes. Es liegt in „%1“: Öffnen Sie diese Datei, um damit weiterzuarbeiten.</translation>
    </message>
</context>
<context>
    <name>lab::SettingField</name>
    <message>
        <source>%1 has exactly one replica.</source>
        <translation>%1 hat genau ein Replikat.</translation>
    </message>
    <message>
        <source>%1 gives every worker and every server its own host.</source>
        <translation>%1 gibt jedem Worker und jedem Server einen eigenen Host.</translation>
    </message>
    <message>
        <source>%1 works on one machine.</source>
        <translation>%1 arbeitet auf einem Rechner.</translation>
    </message>
    <message>
        <source>Under a parameter server each step belongs to one worker, with its own batch.</source>
        <translation>Bei Parameterservern gehört jeder Schritt einem Worker mit eigenem Batch.</translation>
    </message>
    <message>
        <source>%1 adds nothing over replicas.</source>
        <translation>%1 addiert nichts über Replikate.</translation>
    </message>
    <message>
        <source>%1 has no parameter servers.</source>
        <translation>%1 hat keine Parameterserver.</translation>
    </message>
    <message>
        <source>%1 has no such setting.</source>
        <translation>%1 hat keine solche Einstellung.</translation>
    </message>
</context>
<context>
    <name>lab::SettingsRow</name>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Batch/replica</source>
        <translation>Batch/Repl</translation>
    </message>
    <message>
        <source>Global batch</source>
        <translation>Batch global</translation>
    </message>
    <message>
        <source>Reducer</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>More settings: %1</source>
        <translation>Weitere Einstellungen: %1</translation>
    </message>
    <message>
        <source>More settings</source>
        <translation>Weitere Einstellungen</translation>
    </message>
</context>
<context>
    <name>lab::SettingsUndo</name>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>%1 settings</source>
        <translation>%1 Einstellungen</translation>
    </message>
    <message>
        <source>start anew</source>
        <translation>neu beginnen</translation>
    </message>
</context>
<context>
    <name>lab::SetupBar</name>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Strategy: %1</source>
        <translation>Strategie: %1</translation>
    </message>
    <message>
        <source>Choose among the strategies (1 to %1)</source>
        <translation>Eine Strategie wählen (1 bis %1)</translation>
    </message>
</context>
<context>
    <name>lab::SetupForm</name>
    <message>
        <source>GPUs here: %1</source>
        <translation>GPUs hier: %1</translation>
    </message>
    <message>
        <source>No GPU is used: %1.</source>
        <translation>Es wird keine GPU verwendet: %1.</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>%1 does not run on several TPU cores.</source>
        <translation>%1 läuft nicht auf mehreren TPU-Kernen.</translation>
    </message>
    <message>
        <source>%1 runs only on TPU cores.</source>
        <translation>%1 läuft nur auf TPU-Kernen.</translation>
    </message>
</context>
<context>
    <name>lab::SpeedHandle</name>
    <message>
        <source>drag to slow it down</source>
        <translation>zum Verlangsamen ziehen</translation>
    </message>
    <message>
        <source>%1× slower</source>
        <translation>%1× langsamer</translation>
    </message>
</context>
<context>
    <name>lab::Stage</name>
    <message>
        <source>Stage</source>
        <translation>Bühne</translation>
    </message>
</context>
<context>
    <name>lab::StageMessage</name>
    <message>
        <source>Stopped at step %1</source>
        <translation>Gestoppt bei Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 of %2 of a stopped run</source>
        <translation>Schritt %1 von %2 eines gestoppten Laufs</translation>
    </message>
    <message>
        <source>Failed after step %1</source>
        <translation>Fehlgeschlagen nach Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 of %2 of a failed run</source>
        <translation>Schritt %1 von %2 eines fehlgeschlagenen Laufs</translation>
    </message>
    <message>
        <source>Ended with an error at step %1</source>
        <translation>Mit einem Fehler geendet bei Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 of %2 of a run that ended with an error</source>
        <translation>Schritt %1 von %2 eines Laufs, der mit einem Fehler endete</translation>
    </message>
    <message>
        <source>Finished at step %1</source>
        <translation>Fertig bei Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 of %2 of a finished run</source>
        <translation>Schritt %1 von %2 eines fertigen Laufs</translation>
    </message>
    <message>
        <source>%1 · Space plays</source>
        <translation>%1 · Leertaste spielt ab</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>mode, state</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>recomputing …</source>
        <translation>wird neu berechnet …</translation>
    </message>
    <message>
        <source>Paused at step %1 · live is %2 ahead</source>
        <translation>Halt bei Schritt %1 · live %2 voraus</translation>
    </message>
    <message>
        <source>Paused at step %1</source>
        <translation>Halt bei Schritt %1</translation>
    </message>
    <message>
        <source>shows 1 of %1 steps</source>
        <translation>zeigt 1 von %1 Schritten</translation>
    </message>
    <message>
        <source>Express: training at full speed, the stage stands still</source>
        <translation>Express: Training mit vollem Tempo, die Bühne steht still</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Ended with an error</source>
        <translation>Mit einem Fehler geendet</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>1 of %1 steps</source>
        <translation>1 von %1 Schritten</translation>
    </message>
    <message>
        <source>Nothing to show: the run has failed.</source>
        <translation>Nichts zu zeigen: Der Lauf ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Stopped before the first step</source>
        <translation>Vor dem ersten Schritt gestoppt</translation>
    </message>
</context>
<context>
    <name>lab::StageObjects</name>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>, step %1</source>
        <translation>, Schritt %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A real image. Click it to keep it in the inspector.</source>
        <translation>Ein echtes Bild. Ein Klick hält es im Inspektor fest.</translation>
    </message>
    <message>
        <source>On its way. Click it to see what is added to what.</source>
        <translation>Unterwegs. Ein Klick zeigt, was wozu addiert wird.</translation>
    </message>
    <message>
        <source>A gradient buffer. Click it to see its values.</source>
        <translation>Ein Gradientenpuffer. Ein Klick zeigt seine Werte.</translation>
    </message>
    <message>
        <source>%1. Double-click to look inside.</source>
        <translation>%1. Doppelklick: hineinsehen.</translation>
    </message>
    <message>
        <source>Double-click to see what every layer makes of an image.</source>
        <translation>Doppelklick: sehen, was jede Schicht aus einem Bild macht.</translation>
    </message>
</context>
<context>
    <name>lab::StageStrip</name>
    <message>
        <source>St&amp;age in Profile</source>
        <translation>Büh&amp;ne in „Profilieren“</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Bühne</translation>
    </message>
    <message>
        <source>Opens the stage, or closes it</source>
        <translation>Öffnet die Bühne oder schließt sie</translation>
    </message>
    <message>
        <source>Only in Profile, while the panel Evidence is open in the window</source>
        <translation>Nur in „Profilieren“, solange der Bereich „Belege“ im Fenster offen ist</translation>
    </message>
</context>
<context>
    <name>lab::StatusLine</name>
    <message>
        <source>Playing</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Events of the run that came faster than the window could take them</source>
        <translation>Ereignisse des Laufs, die schneller kamen, als das Fenster sie aufnehmen konnte</translation>
    </message>
    <message>
        <source>How often this window could draw itself in the last two seconds, and its worst delay</source>
        <translation>Wie oft sich dieses Fenster in den letzten zwei Sekunden zeichnen konnte, und seine größte Verzögerung</translation>
    </message>
    <message numerus="yes">
        <source>%Ln events came too fast to be shown</source>
        <translation>
            <numerusform>%Ln Ereignis kam zu schnell, um gezeigt zu werden</numerusform>
            <numerusform>%Ln Ereignisse kamen zu schnell, um gezeigt zu werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Ended with an error: a task is dead</source>
        <translation>Mit einem Fehler geendet: Eine Task ist tot</translation>
    </message>
    <message numerus="yes">
        <source>%Ln events of the trace lost</source>
        <translation>
            <numerusform>%Ln Ereignis des Trace verloren</numerusform>
            <numerusform>%Ln Ereignisse des Trace verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>window %1 fps, worst %2 ms</source>
        <translation>Fenster %1 fps, längstens %2 ms</translation>
    </message>
    <message>
        <source>window at rest</source>
        <translation>Fenster in Ruhe</translation>
    </message>
</context>
<context>
    <name>lab::StrategyChoice</name>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>The recorded step&apos;s examples on the same devices under another strategy. Computing time is the recorded step&apos;s; communication is modelled for the chosen strategy.</source>
        <translation>Die Beispiele des aufgezeichneten Schritts auf denselben Geräten unter einer anderen Strategie. Die Rechenzeit ist die des aufgezeichneten Schritts; die Kommunikation ist für die gewählte Strategie modelliert.</translation>
    </message>
    <message>
        <source>Reducer</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>How that strategy sums gradients over its replicas.</source>
        <translation>Wie diese Strategie Gradienten über ihre Replikate summiert.</translation>
    </message>
</context>
<context>
    <name>lab::StrategyPicker</name>
    <message>
        <source>Strategies</source>
        <translation>Strategien</translation>
    </message>
    <message>
        <source>One machine</source>
        <translation>Ein Rechner</translation>
    </message>
    <message>
        <source>Several machines</source>
        <translation>Mehrere Rechner</translation>
    </message>
    <message>
        <source>None: tf.distribute has no asynchronous
strategy for one machine.</source>
        <translation>Keine: tf.distribute hat keine asynchrone
Strategie für einen Rechner.</translation>
    </message>
    <message>
        <source>Compare with this strategy</source>
        <translation>Mit dieser Strategie vergleichen</translation>
    </message>
    <message>
        <source>A click chooses this strategy; a right click compares it with the present one</source>
        <translation>Ein Klick wählt diese Strategie; ein Rechtsklick vergleicht sie mit der jetzigen</translation>
    </message>
    <message>
        <source>Beyond tf.distribute.</source>
        <translation>Nicht in tf.distribute.</translation>
    </message>
    <message>
        <source>Synchronous:
all replicas make
a step together</source>
        <translation>Synchron:
Alle Replikate
im selben Schritt</translation>
    </message>
    <message>
        <source>Asynchronous:
each worker has
its own steps</source>
        <translation>Asynchron:
jeder Worker mit
eigenen Schritten</translation>
    </message>
</context>
<context>
    <name>lab::SweepBar</name>
    <message>
        <source>Sweep in a minute</source>
        <translation>Sweep in einer Minute</translation>
    </message>
    <message>
        <source>Trains the classroom&apos;s sweep: the built-in digits, 4 counts of replicas, 5 batches, 3 rules and 3 seeds, the coarse grid first. It ends within a minute; runs for which no time is left are not run.</source>
        <translation>Trainiert den Sweep für den Unterricht: die eingebauten Ziffern, 4 Anzahlen von Replikaten, 5 Batches, 3 Regeln und 3 Seeds, das grobe Raster zuerst. Er endet in einer Minute; Läufe, für die keine Zeit bleibt, entfallen.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Shows or hides the form with the sweep&apos;s plan</source>
        <translation>Zeigt oder verbirgt das Formular mit dem Plan des Sweeps</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Retry diverged</source>
        <translation>Divergierte wiederholen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Every run waits at its next step</source>
        <translation>Jeder Lauf wartet an seinem nächsten Schritt</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Finished runs are kept; “Go on” trains the rest at any time, also after a restart of the program</source>
        <translation>Fertige Läufe bleiben; „Weiter“ trainiert den Rest jederzeit, auch nach einem Neustart des Programms</translation>
    </message>
    <message>
        <source>Finished runs, of all that can be trained</source>
        <translation>Fertige Läufe, von allen, die sich trainieren lassen</translation>
    </message>
    <message>
        <source>Finished runs of the sweep</source>
        <translation>Fertige Läufe des Sweeps</translation>
    </message>
    <message>
        <source>Files ▾</source>
        <translation>Dateien ▾</translation>
    </message>
    <message>
        <source>Open and save the sweep, export its cells and its chart</source>
        <translation>Den Sweep öffnen und speichern, Zellen und Diagramm exportieren</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>All runs of this plan are finished</source>
        <translation>Alle Läufe dieses Plans sind fertig</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs to go</source>
        <translation>
            <numerusform>Noch %Ln Lauf</numerusform>
            <numerusform>Noch %Ln Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs diverged. Trains them again, with what is missing. The same settings give the same result, unless the program has changed.</source>
        <translation>
            <numerusform>%Ln Lauf ist divergiert. Trainiert ihn noch einmal, mit dem, was fehlt. Gleiche Einstellungen führen zum gleichen Ergebnis, außer das Programm wurde geändert.</numerusform>
            <numerusform>%Ln Läufe sind divergiert. Trainiert sie noch einmal, mit dem, was fehlt. Gleiche Einstellungen führen zum gleichen Ergebnis, außer das Programm wurde geändert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>%1 of about %2</source>
        <translation>%1 von etwa %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>There is time for about %1 of the %2 runs; the coarse ones come first.</source>
        <translation>Die Zeit reicht für etwa %1 der %2 Läufe; die groben kommen zuerst.</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>loading stored cells</source>
        <translation>gespeicherte Zellen werden geladen</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>noch etwa %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>for at most %1 seconds, the coarse runs first</source>
        <translation>höchstens %1 Sekunden lang, die groben Läufe zuerst</translation>
    </message>
</context>
<context>
    <name>lab::SweepChart</name>
    <message>
        <source>&lt;p&gt;Each small point is one run, each line joins means over the seeds. Click on a point, or choose it with the arrow keys and press Enter: the stage shows that run.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Jeder kleine Punkt ist ein Lauf, jede Linie verbindet Mittelwerte über die Seeds. Klick auf einen Punkt oder mit den Pfeiltasten wählen und Enter drücken: Die Bühne zeigt diesen Lauf.&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>lab::SweepCoordinates</name>
    <message>
        <source>&lt;p&gt;Each line is one run: it crosses every axis at the run&apos;s value. The stronger its colour, the better; a dashed run was stopped early, and a line that goes below an axis has no value there.&lt;/p&gt;&lt;p&gt;Drag along an axis to keep the runs in that range, click on the axis to clear the range. Click on a line: the stage shows that run.&lt;/p&gt;&lt;p&gt;Keys: ← and → change the axis, ↑ and ↓ the run, Enter shows it; Shift+↑ keeps what is at or above it, Shift+↓ what is at or below; Delete clears the axis&apos;s range, Shift+Delete all ranges.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Jede Linie ist ein Lauf: Sie kreuzt jede Achse bei seinem Wert. Je kräftiger ihre Farbe, desto besser; ein gestrichelter Lauf wurde vorzeitig gestoppt, und eine Linie, die unter eine Achse führt, hat dort keinen Wert.&lt;/p&gt;&lt;p&gt;Ziehen Sie an einer Achse entlang, um die Läufe in diesem Bereich zu behalten; ein Klick auf die Achse hebt den Bereich auf. Klicken Sie auf eine Linie: Die Bühne zeigt diesen Lauf.&lt;/p&gt;&lt;p&gt;Tasten: ← und → wechseln die Achse, ↑ und ↓ den Lauf, Enter zeigt ihn; Umschalt+↑ behält, was bei ihm oder darüber liegt, Umschalt+↓, was bei ihm oder darunter liegt; Entf hebt den Bereich der Achse auf, Umschalt+Entf alle Bereiche.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>%1 by %2: %3</source>
        <translation>%1 nach %2: %3</translation>
    </message>
    <message>
        <source>All axes, colour: %1</source>
        <translation>Alle Achsen, Farbe: %1</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>vorzeitig gestoppt</translation>
    </message>
    <message>
        <source>The sweep has no results yet.</source>
        <translation>Der Sweep hat noch keine Ergebnisse.</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <source>All axes, means by: %1</source>
        <translation>Alle Achsen, Mittelwerte nach: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %Ln runs</source>
        <translation>
            <numerusform>%1 von %Ln Lauf</numerusform>
            <numerusform>%1 von %Ln Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>modelled and measured, not compared</source>
        <translation>modelliert und gemessen, nicht verglichen</translation>
    </message>
</context>
<context>
    <name>lab::SweepForm</name>
    <message>
        <source>Use the stage&apos;s settings</source>
        <translation>Einstellungen der Bühne nehmen</translation>
    </message>
    <message>
        <source>All settings that are not an axis here are then those of the run on the stage.</source>
        <translation>Alle Einstellungen, die hier keine Achse sind, sind dann die des Laufs auf der Bühne.</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Values of the rows</source>
        <translation>Werte der Zeilen</translation>
    </message>
    <message>
        <source>Values of the columns</source>
        <translation>Werte der Spalten</translation>
    </message>
    <message>
        <source>How the learning rate changes when the global batch is not 64</source>
        <translation>Wie sich die Lernrate ändert, wenn der globale Batch nicht 64 ist</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source> epochs</source>
        <translation> Epochen</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation>Zielgenauigkeit</translation>
    </message>
    <message>
        <source>until the target</source>
        <translation>bis zum Ziel</translation>
    </message>
    <message>
        <source>a number of steps</source>
        <translation>eine Zahl von Schritten</translation>
    </message>
    <message>
        <source>a number of examples</source>
        <translation>eine Zahl von Beispielen</translation>
    </message>
    <message>
        <source>a number of epochs</source>
        <translation>eine Zahl von Epochen</translation>
    </message>
    <message>
        <source>The same budget of steps lets large batches see more images; the same budget of examples gives small batches more steps. Which batch looks best depends on it.</source>
        <translation>Mit demselben Budget an Schritten sehen große Batches mehr Bilder; mit demselben Budget an Beispielen machen kleine Batches mehr Schritte. Davon hängt ab, welcher Batch der beste scheint.</translation>
    </message>
    <message>
        <source>Each run trains</source>
        <translation>Jeder Lauf trainiert</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>Wie viele</translation>
    </message>
    <message>
        <source>Never changes a result. Runs on real devices run one at a time.</source>
        <translation>Ändert nie ein Ergebnis. Läufe auf echten Geräten laufen nacheinander.</translation>
    </message>
    <message>
        <source>Runs at once</source>
        <translation>Läufe zugleich</translation>
    </message>
    <message>
        <source>those ticked below</source>
        <translation>die unten angekreuzten</translation>
    </message>
    <message>
        <source>These are the values of the axis</source>
        <translation>Das sind die Werte der Achse</translation>
    </message>
    <message>
        <source>Values, separated by commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Values, separated by semicolons</source>
        <translation>Werte, durch Semikolons getrennt</translation>
    </message>
    <message>
        <source>Rows and columns are the same axis. Choose another for one of them.</source>
        <translation>Zeilen und Spalten sind dieselbe Achse. Für eine der beiden eine andere wählen.</translation>
    </message>
    <message>
        <source>%1 has no values. Give some, such as 1, 2, 4.</source>
        <translation>%1 hat keine Werte. Einige angeben, etwa 1, 2, 4.</translation>
    </message>
    <message>
        <source>Tick one learning-rate rule or more.</source>
        <translation>Eine Lernratenregel oder mehrere ankreuzen.</translation>
    </message>
    <message>
        <source>Runs that train until the target need a target accuracy: give one.</source>
        <translation>Läufe, die bis zum Ziel trainieren, brauchen eine Zielgenauigkeit: eine angeben.</translation>
    </message>
    <message>
        <source>Staleness over workers</source>
        <translation>Staleness über Workern</translation>
    </message>
    <message>
        <source>The setting in which rows or columns differ</source>
        <translation>Die Einstellung, in der sich Zeilen oder Spalten unterscheiden</translation>
    </message>
    <message>
        <source>Number of epochs over which the rate rises to its value</source>
        <translation>Zahl der Epochen, in denen die Rate auf ihren Wert steigt</translation>
    </message>
    <message>
        <source>How often each cell is trained, each time with other initial weights and another order of the images; the spread is due to chance</source>
        <translation>Wie oft jede Zelle trainiert wird, jedes Mal mit anderen Startgewichten und anderer Reihenfolge der Bilder; die Streuung ist Zufall</translation>
    </message>
    <message>
        <source>On the test images; steps, examples and time until it is first reached are counted</source>
        <translation>Auf den Testbildern; gezählt werden Schritte, Beispiele und Zeit, bis sie zuerst erreicht ist</translation>
    </message>
    <message>
        <source>Steps, examples or epochs of each run</source>
        <translation>Schritte, Beispiele oder Epochen jedes Laufs</translation>
    </message>
    <message>
        <source>ParameterServer with 1 to 16 workers, with an unchanged rate and with each update&apos;s rate divided by its staleness, beside Mirrored on as many images</source>
        <translation>ParameterServer mit 1 bis 16 Workern, mit unveränderter Rate und mit der Rate jedes Updates geteilt durch seine Staleness, daneben Mirrored auf ebenso vielen Bildern</translation>
    </message>
    <message>
        <source>For parameter servers: each update&apos;s learning rate is divided by how many updates its gradient has missed</source>
        <translation>Für Parameterserver: Die Lernrate jedes Updates wird durch die Zahl der Updates geteilt, die sein Gradient verpasst hat</translation>
    </message>
    <message>
        <source>data %1</source>
        <translation>Daten %1</translation>
    </message>
    <message>
        <source>global batch %1</source>
        <translation>globaler Batch %1</translation>
    </message>
    <message>
        <source>batch per replica %1</source>
        <translation>Batch je Replikat %1</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>Otherwise: %1</source>
        <translation>Sonst: %1</translation>
    </message>
    <message>
        <source>devices %1</source>
        <translation>Geräte %1</translation>
    </message>
    <message>
        <source>network %1</source>
        <translation>Netz %1</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>as long as it takes</source>
        <translation>so lange es dauert</translation>
    </message>
    <message>
        <source>The sweep ends by then: coarse cells come first, and cells for which no time is left are not run. “Go on” runs for as long again.</source>
        <translation>Bis dahin endet der Sweep: Grobe Zellen kommen zuerst, und Zellen, für die keine Zeit bleibt, laufen nicht. „Weiter“ läuft noch einmal so lange.</translation>
    </message>
    <message>
        <source>Ends within</source>
        <translation>Endet innerhalb von</translation>
    </message>
</context>
<context>
    <name>lab::SweepLegend</name>
    <message>
        <source>Runs by how they ended</source>
        <translation>Läufe nach ihrem Ausgang</translation>
    </message>
</context>
<context>
    <name>lab::SweepResults</name>
    <message>
        <source>What the cells show</source>
        <translation>Was die Zellen zeigen</translation>
    </message>
    <message>
        <source>Number and colour of the cells. Times of simulated devices are modelled</source>
        <translation>Zahl und Farbe der Zellen. Zeiten simulierter Geräte sind modelliert</translation>
    </message>
    <message>
        <source>Of which learning-rate rule</source>
        <translation>Von welcher Lernratenregel</translation>
    </message>
    <message>
        <source>Each cell shows the rule that does best in it, or one rule throughout</source>
        <translation>Jede Zelle zeigt die Regel, die dort am besten ist, oder alle dieselbe</translation>
    </message>
    <message>
        <source>&lt;p&gt;Rows and columns are the two axes. A number is the mean over the seeds, with the standard deviation below; the stronger the colour, the better. A frame marks the best of its row. A click, or Enter, puts that run on the stage.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Zeilen und Spalten sind die beiden Achsen. Eine Zahl ist der Mittelwert über die Seeds, darunter die Standardabweichung; je kräftiger die Farbe, desto besser. Ein Rahmen kennzeichnet den besten Wert der Zeile. Ein Klick oder Enter bringt diesen Lauf auf die Bühne.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Parallel coordinates</source>
        <translation>Parallele Koordinaten</translation>
    </message>
    <message>
        <source>log x</source>
        <translation>log x</translation>
    </message>
    <message>
        <source>log y</source>
        <translation>log y</translation>
    </message>
    <message>
        <source>Logarithmic x axis</source>
        <translation>Logarithmische x-Achse</translation>
    </message>
    <message>
        <source>Logarithmic y axis</source>
        <translation>Logarithmische y-Achse</translation>
    </message>
    <message>
        <source>Equal distances are equal factors: perfect scaling is a straight line</source>
        <translation>Gleiche Abstände sind gleiche Faktoren: perfekte Skalierung ist eine Gerade</translation>
    </message>
    <message>
        <source>One chart of the same cells</source>
        <translation>Ein Diagramm derselben Zellen</translation>
    </message>
    <message>
        <source>best rule</source>
        <translation>beste Regel</translation>
    </message>
    <message>
        <source>Down: %1. Across: %2.</source>
        <translation>Abwärts: %1. Quer: %2.</translation>
    </message>
    <message>
        <source>The plan has an impossible setting: see the form.</source>
        <translation>Der Plan hat eine unmögliche Einstellung: siehe Formular.</translation>
    </message>
</context>
<context>
    <name>lab::SweepView</name>
    <message>
        <source>The last sweep is here again.</source>
        <translation>Der letzte Sweep ist wieder da.</translation>
    </message>
    <message>
        <source>A sweep is running. Cancel it first; finished runs are kept.</source>
        <translation>Ein Sweep läuft. Erst abbrechen; fertige Läufe bleiben.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs</source>
        <translation>
            <numerusform>%Ln Lauf</numerusform>
            <numerusform>%Ln Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs cannot be trained: %1</source>
        <translation>
            <numerusform>%Ln Lauf ist nicht möglich: %1</numerusform>
            <numerusform>%Ln Läufe sind nicht möglich: %1</numerusform>
        </translation>
    </message>
    <message>
        <source>The sweep is done: %1.</source>
        <translation>Der Sweep ist fertig: %1.</translation>
    </message>
    <message>
        <source>Cancelled: %1. Finished runs are kept; “Go on” trains the rest.</source>
        <translation>Abgebrochen: %1. Fertige Läufe bleiben; „Weiter“ trainiert den Rest.</translation>
    </message>
    <message>
        <source>Opened: %1</source>
        <translation>Geöffnet: %1</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>Open a sweep…</source>
        <translation>Sweep öffnen …</translation>
    </message>
    <message>
        <source>Open a sweep</source>
        <translation>Sweep öffnen</translation>
    </message>
    <message>
        <source>Experiments (*.slab)</source>
        <translation>Experimente (*.slab)</translation>
    </message>
    <message>
        <source>Save the sweep…</source>
        <translation>Sweep speichern …</translation>
    </message>
    <message>
        <source>Save the sweep</source>
        <translation>Sweep speichern</translation>
    </message>
    <message>
        <source>sweep.slab</source>
        <translation>sweep.slab</translation>
    </message>
    <message>
        <source>Cells as CSV…</source>
        <translation>Zellen als CSV …</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>sweep.csv</source>
        <translation>sweep.csv</translation>
    </message>
    <message>
        <source>Chart as picture…</source>
        <translation>Diagramm als Bild …</translation>
    </message>
    <message>
        <source>Chart as picture</source>
        <translation>Diagramm als Bild</translation>
    </message>
    <message>
        <source>Pictures (*.png *.svg *.pdf)</source>
        <translation>Bilder (*.png *.svg *.pdf)</translation>
    </message>
    <message>
        <source>sweep.png</source>
        <translation>sweep.png</translation>
    </message>
    <message>
        <source>Cells for TensorBoard…</source>
        <translation>Zellen für TensorBoard …</translation>
    </message>
    <message>
        <source>A folder for TensorBoard</source>
        <translation>Ein Ordner für TensorBoard</translation>
    </message>
    <message>
        <source>sweep-events</source>
        <translation>sweep-events</translation>
    </message>
    <message>
        <source>Saved: %1. It holds the plan. Cells stay on this computer; another computer trains them again and gets the same numbers.</source>
        <translation>Gespeichert: %1. Darin steht der Plan. Die Zellen bleiben auf diesem Rechner; ein anderer Rechner trainiert sie noch einmal und erhält dieselben Zahlen.</translation>
    </message>
    <message>
        <source>Time is up: %1. “Go on” trains the rest.</source>
        <translation>Die Zeit ist um: %1. „Weiter“ trainiert den Rest.</translation>
    </message>
    <message>
        <source>This is an example. Start trains its runs here; then they can be exported.</source>
        <translation>Das ist ein Beispiel. Start trainiert seine Läufe hier; dann können sie exportiert werden.</translation>
    </message>
    <message>
        <source>&lt;b&gt;An example&lt;/b&gt;, trained in advance: what a sweep looks like when it is done.</source>
        <translation>&lt;b&gt;Ein Beispiel&lt;/b&gt;, im Voraus trainiert: So sieht ein Sweep aus, wenn er fertig ist.</translation>
    </message>
    <message>
        <source>Cells as CSV, one row per evaluation</source>
        <translation>Zellen als CSV, eine Zeile je Auswertung</translation>
    </message>
    <message>
        <source>Nothing was saved. %1</source>
        <translation>Nichts wurde gespeichert. %1</translation>
    </message>
</context>
<context>
    <name>lab::TabViews</name>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Gallery</source>
        <translation>Galerie</translation>
    </message>
    <message>
        <source>Moments</source>
        <translation>Momente</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>Glossar</translation>
    </message>
    <message>
        <source>Quiz</source>
        <translation>Quiz</translation>
    </message>
    <message>
        <source>Narration</source>
        <translation>Mitschrift</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Setup</source>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Step %1 is shown.</source>
        <translation>Schritt %1 wird gezeigt.</translation>
    </message>
    <message>
        <source>Runs of this session</source>
        <translation>Läufe dieser Sitzung</translation>
    </message>
</context>
<context>
    <name>lab::TablePlot</name>
    <message>
        <source>Column along x</source>
        <translation>Spalte entlang x</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Columns along y</source>
        <translation>Spalten entlang y</translation>
    </message>
    <message>
        <source>Along &amp;x</source>
        <translation>Entlang &amp;x</translation>
    </message>
    <message>
        <source>Along &amp;y</source>
        <translation>Entlang &amp;y</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cells hold no number and are left out.</source>
        <translation>
            <numerusform>%Ln Zelle enthält keine Zahl und fehlt.</numerusform>
            <numerusform>%Ln Zellen enthalten keine Zahl und fehlen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Tick a column to see it.</source>
        <translation>Haken Sie eine Spalte an, um sie zu sehen.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln points.</source>
        <translation>
            <numerusform>%Ln Punkt.</numerusform>
            <numerusform>%Ln Punkte.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, plotted</source>
        <translation>%1 als Diagramm</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 über %2</translation>
    </message>
</context>
<context>
    <name>lab::ToolBars</name>
    <message>
        <source>Controls</source>
        <translation>Steuerung</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Arbeitsbereiche</translation>
    </message>
    <message>
        <source>More controls</source>
        <translation>Weitere Bedienelemente</translation>
    </message>
    <message>
        <source>M&amp;ore controls</source>
        <translation>M&amp;ehr Bedienelemente</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More settings, modes, speeds, single steps and panels (Ctrl+M)</source>
        <translation>Weitere Einstellungen, Modi, Tempi, Einzelschritte und Bereiche (Strg+M)</translation>
    </message>
</context>
<context>
    <name>lab::TracePanel</name>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>As a Chrome trace, for Perfetto and chrome://tracing</source>
        <translation>Als Chrome-Trace, für Perfetto und chrome://tracing</translation>
    </message>
    <message>
        <source>Back to the run</source>
        <translation>Zurück zum Lauf</translation>
    </message>
    <message>
        <source>Shows the current run&apos;s step again</source>
        <translation>Zeigt wieder den Schritt des jetzigen Laufs</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Fits the selected bar or the step; once more: everything (F)</source>
        <translation>Passt den gewählten Balken oder den Schritt ein; noch einmal: alles (F)</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Step %1 · %2</source>
        <translation>Schritt %1 · %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 %2: %Ln transfers, %3</source>
        <translation>
            <numerusform>%1 %2: %Ln Übertragung, %3</numerusform>
            <numerusform>%1 %2: %Ln Übertragungen, %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Insgesamt</translation>
    </message>
    <message>
        <source>It took</source>
        <translation>Er dauerte</translation>
    </message>
    <message numerus="yes">
        <source> · %Ln spans were not recorded</source>
        <translation>
            <numerusform> · %Ln Spanne nicht aufgezeichnet</numerusform>
            <numerusform> · %Ln Spannen nicht aufgezeichnet</numerusform>
        </translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>Trace öffnen</translation>
    </message>
    <message>
        <source>Export the trace</source>
        <translation>Trace exportieren</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The trace is written, but is too large to open in this window. Perfetto opens it.</source>
        <translation>Der Trace ist geschrieben, aber zu groß, um ihn in diesem Fenster zu öffnen. Perfetto öffnet ihn.</translation>
    </message>
    <message>
        <source>Marked:</source>
        <translation>Markiert:</translation>
    </message>
    <message>
        <source>Saved: %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message>
        <source>All tracks</source>
        <translation>Alle Spuren</translation>
    </message>
    <message>
        <source>Tracks that did the same, each in a row of its own</source>
        <translation>Spuren, die dasselbe taten, jede in einer eigenen Zeile</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Where the time of each device went</source>
        <translation>Wohin die Zeit jedes Geräts ging</translation>
    </message>
    <message>
        <source> · the cycle of %1 took %2</source>
        <translation> · der Zyklus von %1 dauerte %2</translation>
    </message>
    <message>
        <source>Step %1 · times were not recorded</source>
        <translation>Schritt %1 · Zeiten wurden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>It was written by a version that kept none.</source>
        <translation>Die Aufzeichnung stammt von einer Version, die keine behielt.</translation>
    </message>
    <message>
        <source>A Chrome trace that this program has written, or TensorFlow&apos;s or PyTorch&apos;s profiler</source>
        <translation>Ein Chrome-Trace, den dieses Programm geschrieben hat oder der Profiler von TensorFlow oder PyTorch</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>Pfeile</translation>
    </message>
    <message>
        <source>Chrome traces (*.json *.json.gz)</source>
        <translation>Chrome-Traces (*.json *.json.gz)</translation>
    </message>
    <message>
        <source>From what a sender did to its transfer, and on to what the receiver does with it. The arrows of the chosen bar are shown, or all of them where there are few.</source>
        <translation>Von dem, was ein Sender getan hat, zu seiner Übertragung und weiter zu dem, was der Empfänger damit tut. Gezeigt werden die Pfeile des gewählten Balkens, oder alle, wo es wenige sind.</translation>
    </message>
    <message numerus="yes">
        <source> · at most %1 at once, on %Ln links</source>
        <translation>
            <numerusform> · höchstens %1 zugleich, auf %Ln Link</numerusform>
            <numerusform> · höchstens %1 zugleich, auf %Ln Links</numerusform>
        </translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>Zähler</translation>
    </message>
    <message>
        <source>Bytes in flight, links in use and the memory of the chosen device, below the tracks</source>
        <translation>Bytes unterwegs, genutzte Links und der Speicher des gewählten Geräts, unter den Spuren</translation>
    </message>
    <message>
        <source>Since the update before,</source>
        <translation>Seit dem Update davor,</translation>
    </message>
</context>
<context>
    <name>lab::TraceSearch</name>
    <message>
        <source>Find a bar</source>
        <translation>Balken suchen</translation>
    </message>
    <message>
        <source>Find a bar of the trace</source>
        <translation>Einen Balken des Trace suchen</translation>
    </message>
    <message>
        <source>By its name or its kind. Enter goes to the next one, Shift+Enter to the one before.</source>
        <translation>Nach seinem Namen oder seiner Art. Enter geht zum nächsten, Umschalt+Enter zum vorigen.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>which of those found</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>%1 gefunden</translation>
    </message>
</context>
<context>
    <name>lab::TraceView</name>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>What every device and every link did, on the step&apos;s clock. W and S zoom, A and D move, F fits, . and , go from bar to bar; drag to measure a stretch of time.</source>
        <translation>Was jedes Gerät und jeder Link tat, auf der Uhr des Schritts. W und S zoomen, A und D verschieben, F passt ein, . und , gehen von Balken zu Balken; Ziehen misst eine Zeitspanne aus.</translation>
    </message>
    <message>
        <source>, of which %1 launching</source>
        <translation>, davon %1 Kernelstart</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>modelliert</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Play a step: this then shows what each device and link did, and when.</source>
        <translation>Spielen Sie einen Schritt ab: Hier steht dann, was jedes Gerät und jeder Link wann tat.</translation>
    </message>
    <message>
        <source>%1: to the nanosecond</source>
        <translation>%1: auf die Nanosekunde genau</translation>
    </message>
</context>
<context>
    <name>lab::Transport</name>
    <message>
        <source>How far the step buttons and ← → go</source>
        <translation>Wie weit die Schritttasten und ← → gehen</translation>
    </message>
    <message>
        <source>To the first step</source>
        <translation>Zum ersten Schritt</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>To the latest step</source>
        <translation>Zum neuesten Schritt</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>Schritt zurück</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>Schritt vor</translation>
    </message>
    <message>
        <source>Coarser step back</source>
        <translation>Größerer Schritt zurück</translation>
    </message>
    <message>
        <source>Coarser step forward</source>
        <translation>Größerer Schritt vor</translation>
    </message>
    <message>
        <source>Previous transfer</source>
        <translation>Vorige Übertragung</translation>
    </message>
    <message>
        <source>Next transfer</source>
        <translation>Nächste Übertragung</translation>
    </message>
    <message>
        <source>Story</source>
        <translation>Story</translation>
    </message>
    <message>
        <source>Every step, with pauses for reading; training waits for the movie</source>
        <translation>Jeder Schritt, mit Lesepausen; das Training wartet auf den Film</translation>
    </message>
    <message>
        <source>Every step, without pauses; training waits for the movie</source>
        <translation>Jeder Schritt, ohne Pausen; das Training wartet auf den Film</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Express</source>
        <translation>Express</translation>
    </message>
    <message>
        <source>Training at full speed; only the charts follow, once a second</source>
        <translation>Training mit vollem Tempo; nur die Diagramme folgen, einmal je Sekunde</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>One transfer at a time</source>
        <translation>Eine Übertragung nach der anderen</translation>
    </message>
    <message>
        <source>beat</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>One beat of the step at a time</source>
        <translation>Ein Takt des Schritts nach dem anderen</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>One training step at a time</source>
        <translation>Ein Trainingsschritt nach dem anderen</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>One epoch at a time</source>
        <translation>Eine Epoche nach der anderen</translation>
    </message>
    <message>
        <source>¼×</source>
        <translation>¼×</translation>
    </message>
    <message>
        <source>A quarter of the speed</source>
        <translation>Ein Viertel des Tempos</translation>
    </message>
    <message>
        <source>1×</source>
        <translation>1×</translation>
    </message>
    <message>
        <source>Normal speed</source>
        <translation>Normales Tempo</translation>
    </message>
    <message>
        <source>4×</source>
        <translation>4×</translation>
    </message>
    <message>
        <source>Four times the speed</source>
        <translation>Vierfaches Tempo</translation>
    </message>
    <message>
        <source>Step by</source>
        <translation>Schrittweite</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Play</source>
        <comment>mode</comment>
        <translation>Film</translation>
    </message>
    <message>
        <source>The next mode: Story, Play, Live, Fast</source>
        <translation>Der nächste Modus: Story, Film, Live, Schnell</translation>
    </message>
    <message>
        <source>How fast the movie runs</source>
        <translation>Wie schnell der Film läuft</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>Springen</translation>
    </message>
    <message>
        <source>Training continues; the movie shows one step of many</source>
        <translation>Das Training läuft weiter; der Film zeigt einen von vielen Schritten</translation>
    </message>
    <message>
        <source>Training continues; no motion, the latest step as it ended</source>
        <translation>Das Training läuft weiter; ohne Bewegung, der neueste Schritt, wie er endete</translation>
    </message>
</context>
<context>
    <name>lab::TryOut</name>
    <message>
        <source>Clears the pad (Delete)</source>
        <translation>Leert die Fläche (Entf)</translation>
    </message>
    <message>
        <source>Draw</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Missed</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>Matrix</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>There are no weights yet: the run is being prepared.</source>
        <translation>Es gibt noch keine Gewichte: Der Lauf wird vorbereitet.</translation>
    </message>
    <message>
        <source>With the weights after step %1, the step on the stage.</source>
        <translation>Mit den Gewichten nach Schritt %1, dem Schritt auf der Bühne.</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>The batch of step %1, with the weights before its update.</source>
        <translation>Der Batch von Schritt %1, mit den Gewichten vor dessen Update.</translation>
    </message>
    <message>
        <source>Replica %1</source>
        <translation>Replikat %1</translation>
    </message>
    <message>
        <source>What each replica computed with in this step</source>
        <translation>Womit jedes Replikat in diesem Schritt gerechnet hat</translation>
    </message>
    <message>
        <source>Test images that the network takes for another class</source>
        <translation>Testbilder, die das Netz für eine andere Klasse hält</translation>
    </message>
    <message>
        <source>How often the network takes which class for which</source>
        <translation>Wie oft das Netz welche Klasse für welche hält</translation>
    </message>
    <message>
        <source>What the first layer looks for</source>
        <translation>Wonach die erste Schicht sucht</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>Bild …</translation>
    </message>
    <message>
        <source>Puts a PNG or JPEG file onto the pad</source>
        <translation>Legt eine PNG- oder JPEG-Datei auf die Zeichenfläche</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>What the first layer, %1, looks for: its weights after step %2.</source>
        <translation>Wonach die erste Schicht, %1, sucht: ihre Gewichte nach Schritt %2.</translation>
    </message>
    <message>
        <source>Weights are drawn only where the first layer that has weights sees an image of one or three channels.</source>
        <translation>Gezeichnet werden Gewichte nur, wo die erste Schicht mit Gewichten ein Bild aus einem oder drei Kanälen sieht.</translation>
    </message>
    <message>
        <source>The first %1 are drawn.</source>
        <translation>Gezeichnet sind die ersten %1.</translation>
    </message>
    <message>
        <source>Draw or drop a picture, and see what the network gives to each class</source>
        <translation>Zeichnen oder ein Bild hierher ziehen und sehen, was das Netz jeder Klasse gibt</translation>
    </message>
    <message>
        <source>With the mean of all copies after step %1, as in the test step.</source>
        <translation>Mit dem Mittelwert aller Kopien nach Schritt %1, wie im Testschritt.</translation>
    </message>
    <message>
        <source>With the first replica&apos;s copy after step %1. The other copies differ from it.</source>
        <translation>Mit der Kopie des ersten Replikats nach Schritt %1. Die anderen Kopien weichen davon ab.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>lab::WhatIfPanel</name>
    <message>
        <source>As recorded</source>
        <translation>Wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Back to all values of the recorded step</source>
        <translation>Zurück zu allen Werten des aufgezeichneten Schritts</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>All of them train; hosts are added as needed.</source>
        <translation>Alle trainieren; Hosts kommen nach Bedarf hinzu.</translation>
    </message>
    <message>
        <source>Batch/replica</source>
        <translation>Batch/Replikat</translation>
    </message>
    <message>
        <source>Examples on each device in a step.</source>
        <translation>Beispiele auf jedem Gerät in einem Schritt.</translation>
    </message>
    <message>
        <source>Device speed</source>
        <translation>Gerätetempo</translation>
    </message>
    <message>
        <source>Speed of arithmetic and memory, not of kernel launches.</source>
        <translation>Tempo von Rechnen und Speicher, nicht von Kernelstarts.</translation>
    </message>
    <message>
        <source>Link speed</source>
        <translation>Linktempo</translation>
    </message>
    <message>
        <source>Bandwidth of the link between devices of a host.</source>
        <translation>Bandbreite des Links zwischen den Geräten eines Hosts.</translation>
    </message>
    <message>
        <source>Host link speed</source>
        <translation>Hostlinktempo</translation>
    </message>
    <message>
        <source>Bandwidth of the link between hosts.</source>
        <translation>Bandbreite des Links zwischen Hosts.</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Latency of every link and of the collectives&apos; library.</source>
        <translation>Latenz jedes Links und der Bibliothek für kollektive Operationen.</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Play a step first: this then shows how long the recorded step would take on other hardware.</source>
        <translation>Spielen Sie zuerst einen Schritt ab: Hier steht dann, wie lange der aufgezeichnete Schritt auf anderer Hardware dauerte.</translation>
    </message>
    <message>
        <source>A replica&apos;s mean step</source>
        <translation>Mittlerer Schritt eines Replikats</translation>
    </message>
    <message numerus="yes">
        <source>Modelled: %Ln examples over all devices</source>
        <translation>
            <numerusform>Modelliert: %Ln Beispiel über alle Geräte</numerusform>
            <numerusform>Modelliert: %Ln Beispiele über alle Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Modelled: %Ln examples on each device</source>
        <translation>
            <numerusform>Modelliert: %Ln Beispiel auf jedem Gerät</numerusform>
            <numerusform>Modelliert: %Ln Beispiele auf jedem Gerät</numerusform>
        </translation>
    </message>
    <message>
        <source>What if: impossible, see the cluster</source>
        <translation>Was wäre, wenn: unmöglich, siehe Cluster</translation>
    </message>
    <message>
        <source>Recorded: step %1, measured, %2</source>
        <translation>Aufgezeichnet: Schritt %1, gemessen, %2</translation>
    </message>
    <message>
        <source> · only from the catalogue</source>
        <translation> · nur aus dem Katalog</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>was wäre, wenn</translation>
    </message>
    <message>
        <source>Input threads</source>
        <translation>Eingabe-Threads</translation>
    </message>
    <message>
        <source>Threads of each host, which decode side by side.</source>
        <translation>Threads jedes Hosts, die nebeneinander dekodieren.</translation>
    </message>
    <message>
        <source>Prefetch the next batch</source>
        <translation>Nächsten Batch vorab bereitstellen</translation>
    </message>
    <message>
        <source>The input pipeline makes the next batch while the present step trains, so a step waits only for what takes longer. Otherwise it waits for the whole batch.</source>
        <translation>Die Eingabe-Pipeline stellt den nächsten Batch bereit, während der jetzige Schritt trainiert; ein Schritt wartet dann nur auf das, was länger dauert. Sonst wartet er auf den ganzen Batch.</translation>
    </message>
    <message>
        <source>%1 · only %2</source>
        <translation>%1 · nur %2</translation>
    </message>
    <message>
        <source>What the run&apos;s own clock says</source>
        <translation>Was die Uhr des Laufs selbst sagt</translation>
    </message>
    <message>
        <source>What the timing model says, and how many times as long as the recorded step that is</source>
        <translation>Was das Zeitmodell sagt, und das Wievielfache des aufgezeichneten Schritts das ist</translation>
    </message>
    <message>
        <source>Recorded: step %1, modelled, %2</source>
        <translation>Aufgezeichnet: Schritt %1, modelliert, %2</translation>
    </message>
    <message>
        <source> · %1 × the model&apos;s</source>
        <translation> · %1 × die des Modells</translation>
    </message>
    <message>
        <source> −%1/+%2 %</source>
        <translation> −%1/+%2 %</translation>
    </message>
    <message>
        <source>The recorded step took %1 times as long as the model says for its own settings. It is not known whether that also holds for the changed settings: the band covers the answer with and without this factor.</source>
        <translation>Der aufgezeichnete Schritt dauerte %1-mal so lange, wie das Modell für seine eigenen Einstellungen sagt. Ob das auch für die geänderten Einstellungen gilt, ist nicht bekannt: Die Spanne umfasst die Antwort mit und ohne diesen Faktor.</translation>
    </message>
    <message>
        <source>The same model times simulated devices: with nothing changed, the modelled step is the recorded one.</source>
        <translation>Dasselbe Modell gibt simulierten Geräten ihre Zeit: Ohne Änderung ist der modellierte Schritt der aufgezeichnete.</translation>
    </message>
    <message>
        <source>Keep batch in the toolbar decides. Strong scaling: global batch fixed. Weak scaling: batch per replica fixed. The curve shows both; the chosen one is bold.</source>
        <translation>„Batch halten“ in der Werkzeugleiste entscheidet. Starke Skalierung: globaler Batch fest. Schwache Skalierung: Batch je Replikat fest. Die Kurve zeigt beide; die gewählte ist dick.</translation>
    </message>
    <message numerus="yes">
        <source>Strong scaling: global batch fixed, %Ln examples</source>
        <translation>
            <numerusform>Starke Skalierung: globaler Batch fest, %Ln Beispiel</numerusform>
            <numerusform>Starke Skalierung: globaler Batch fest, %Ln Beispiele</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Weak scaling: batch per replica fixed, %Ln examples</source>
        <translation>
            <numerusform>Schwache Skalierung: Batch je Replikat fest, %Ln Beispiel</numerusform>
            <numerusform>Schwache Skalierung: Batch je Replikat fest, %Ln Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>Modelled: %1</source>
        <translation>Modelliert: %1</translation>
    </message>
    <message>
        <source>What if: modelled, %1</source>
        <translation>Was wäre, wenn: modelliert, %1</translation>
    </message>
    <message>
        <source>What if under %1: modelled, %2</source>
        <translation>Was wäre, wenn, unter %1: modelliert, %2</translation>
    </message>
    <message>
        <source> · extrapolated</source>
        <translation> · extrapoliert</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message numerus="yes">
        <source>More devices than examples: strong scaling (global batch fixed) ends at %Ln devices; modelled is one example on each, %1 in all.</source>
        <translation>
            <numerusform>Mehr Geräte als Beispiele: Starke Skalierung (globaler Batch fest) endet bei %Ln Gerät; modelliert ist ein Beispiel auf jedem, insgesamt %1.</numerusform>
            <numerusform>Mehr Geräte als Beispiele: Starke Skalierung (globaler Batch fest) endet bei %Ln Geräten; modelliert ist ein Beispiel auf jedem, insgesamt %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>What if: %1 of %Ln devices drawn</source>
        <translation>
            <numerusform>Was wäre, wenn: %1 von %Ln Gerät gezeichnet</numerusform>
            <numerusform>Was wäre, wenn: %1 von %Ln Geräten gezeichnet</numerusform>
        </translation>
    </message>
    <message>
        <source>A class&apos;s computers and links are its own: the model uses as many from the catalogue in their place.</source>
        <translation>Die Rechner und Links einer Klasse sind ihre eigenen: Das Modell setzt an ihre Stelle ebenso viele aus dem Katalog.</translation>
    </message>
    <message>
        <source>What if: computing; until then the previous answer is shown</source>
        <translation>Was wäre, wenn: wird berechnet; bis dahin steht hier die vorige Antwort</translation>
    </message>
    <message>
        <source>The recording does not say how long the parts of its step took, so the model cannot be fitted to them: the answer is the model&apos;s alone.</source>
        <translation>Die Aufzeichnung sagt nicht, wie lange die Teile ihres Schritts dauerten; das Modell lässt sich daher nicht an sie anpassen: Die Antwort ist allein die des Modells.</translation>
    </message>
    <message>
        <source> · one draw of the stragglers</source>
        <translation> · eine Ziehung der Nachzügler</translation>
    </message>
    <message numerus="yes">
        <source>Strong scaling: global batch fixed, %Ln examples. Each worker takes a whole share, so %1 are trained.</source>
        <translation>
            <numerusform>Starke Skalierung: globaler Batch fest, %Ln Beispiel. Jeder Worker nimmt einen ganzen Anteil, also werden %1 trainiert.</numerusform>
            <numerusform>Starke Skalierung: globaler Batch fest, %Ln Beispiele. Jeder Worker nimmt einen ganzen Anteil, also werden %1 trainiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Modelled: up to %Ln examples over all devices</source>
        <translation>
            <numerusform>Modelliert: bis zu %Ln Beispiel über alle Geräte</numerusform>
            <numerusform>Modelliert: bis zu %Ln Beispiele über alle Geräte</numerusform>
        </translation>
    </message>
    <message>
        <source>This does not fit: %1 (%2) needs %3 or more and has %4, which first runs out in “%5”. Take a smaller batch.</source>
        <translation>Das passt nicht: %1 (%2) braucht mindestens %3 und hat %4; zum ersten Mal reicht das nicht bei „%5“. Nehmen Sie einen kleineren Batch.</translation>
    </message>
    <message>
        <source>Such a step is impossible: the cluster&apos;s fields say why.</source>
        <translation>So ein Schritt ist unmöglich: Die Felder des Clusters sagen, warum.</translation>
    </message>
</context>
<context>
    <name>lab::WindowView</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>layout %1</source>
        <translation>Anordnung %1</translation>
    </message>
    <message>
        <source>theme %1</source>
        <translation>Farbschema %1</translation>
    </message>
    <message>
        <source>mode %1</source>
        <translation>Modus %1</translation>
    </message>
    <message>
        <source>losses over each replica&apos;s own batch (wrong)</source>
        <translation>Verluste über den eigenen Batch jedes Replikats (falsch)</translation>
    </message>
</context>
<context>
    <name>lab::Workbench</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>&amp;Voreinstellungen …</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>&amp;Find a command…</source>
        <translation>&amp;Befehl suchen …</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>Über &amp;Qt</translation>
    </message>
    <message>
        <source>&amp;Copy the stage&apos;s picture</source>
        <translation>Bild der Bühne &amp;kopieren</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
    <message>
        <source>Copied: the picture of the stage</source>
        <translation>Kopiert: das Bild der Bühne</translation>
    </message>
    <message>
        <source>History of the settings</source>
        <translation>Verlauf der Einstellungen</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>A click returns to the settings of that entry; the run starts again</source>
        <translation>Ein Klick kehrt zu den Einstellungen dieses Eintrags zurück; der Lauf beginnt neu</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Lock the layout</source>
        <translation>Anordnung &amp;sperren</translation>
    </message>
    <message>
        <source>&amp;History of the settings…</source>
        <translation>Verlau&amp;f der Einstellungen …</translation>
    </message>
    <message>
        <source>Copy the narration as &amp;notes</source>
        <translation>Mitschrift als &amp;Notizen kopieren</translation>
    </message>
    <message>
        <source>There are no notes yet: play a step</source>
        <translation>Es gibt noch keine Notizen: Spielen Sie einen Schritt ab</translation>
    </message>
    <message>
        <source>Copied: the narration so far, to paste into notes</source>
        <translation>Kopiert: die bisherige Mitschrift, zum Einfügen in Notizen</translation>
    </message>
    <message>
        <source>Change &amp;keys…</source>
        <translation>&amp;Tasten ändern …</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>Da&amp;ten</translation>
    </message>
    <message>
        <source>Fetch &amp;MNIST…</source>
        <translation>&amp;MNIST laden …</translation>
    </message>
    <message>
        <source>Fetch &amp;Fashion-MNIST…</source>
        <translation>&amp;Fashion-MNIST laden …</translation>
    </message>
    <message>
        <source>Custom &amp;images…</source>
        <translation>&amp;Eigene Bilder …</translation>
    </message>
    <message>
        <source>Train with the &amp;built-in digits</source>
        <translation>Mit den ein&amp;gebauten Ziffern trainieren</translation>
    </message>
    <message>
        <source>&amp;Handbook</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>When this experiment was saved, the window showed: %1.</source>
        <translation>Als dieses Experiment gespeichert wurde, zeigte das Fenster: %1.</translation>
    </message>
    <message>
        <source>More than %1 runs: “%2” is no longer kept. A run with a note or a name of its own stays.</source>
        <translation>Mehr als %1 Läufe: „%2“ wird nicht mehr behalten. Ein Lauf mit einer Notiz oder einem eigenen Namen bleibt.</translation>
    </message>
    <message>
        <source>More than %1 steps in all runs: “%2” is no longer kept. A run with a note or a name of its own stays.</source>
        <translation>Mehr als %1 Schritte in allen Läufen: „%2“ wird nicht mehr behalten. Ein Lauf mit einer Notiz oder einem eigenen Namen bleibt.</translation>
    </message>
    <message>
        <source>Report a &amp;problem…</source>
        <translation>Ein &amp;Problem melden …</translation>
    </message>
    <message>
        <source>No panel can be moved or collapsed by mistake</source>
        <translation>Kein Bereich kann versehentlich verschoben oder eingeklappt werden</translation>
    </message>
    <message>
        <source>The layout is locked: View, Lock the layout unlocks it</source>
        <translation>Die Anordnung ist gesperrt: „Ansicht“, „Anordnung sperren“ gibt sie frei</translation>
    </message>
    <message>
        <source>Panels stay as they are, open or collapsed, and their keys do nothing, until you choose Lock the layout again.</source>
        <translation>Bereiche bleiben, wie sie sind, offen oder zugeklappt, und ihre Tasten tun nichts, bis Sie „Anordnung sperren“ noch einmal wählen.</translation>
    </message>
    <message>
        <source>Fetch &amp;CIFAR-10…</source>
        <translation>&amp;CIFAR-10 laden …</translation>
    </message>
    <message>
        <source>This file has a sweep&apos;s plan. Cells that are not on this computer are trained again, with the same numbers.</source>
        <translation>Diese Datei hat den Plan eines Sweeps. Zellen, die nicht auf diesem Rechner sind, werden noch einmal trainiert, mit denselben Zahlen.</translation>
    </message>
    <message>
        <source>Undone: %1.</source>
        <translation>Rückgängig gemacht: %1.</translation>
    </message>
    <message>
        <source>Redone: %1.</source>
        <translation>Wiederholt: %1.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>The run is at step %1 again.</source>
        <translation>Der Lauf steht wieder bei Schritt %1.</translation>
    </message>
    <message>
        <source>The run has started again.</source>
        <translation>Der Lauf hat neu begonnen.</translation>
    </message>
    <message>
        <source>The run is trained again up to step %1.</source>
        <translation>Der Lauf wird bis Schritt %1 noch einmal trainiert.</translation>
    </message>
    <message>
        <source>Show the sweep</source>
        <translation>Sweep zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs were deleted.</source>
        <translation>
            <numerusform>%Ln Lauf wurde gelöscht.</numerusform>
            <numerusform>%Ln Läufe wurden gelöscht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>repeat of “%1”</source>
        <translation>Wiederholung von „%1“</translation>
    </message>
    <message>
        <source>Preferences: theme, size of text, motion, language</source>
        <translation>Voreinstellungen: Farbschema, Schriftgröße, Bewegung, Sprache</translation>
    </message>
    <message numerus="yes">
        <source>%Ln runs deleted</source>
        <translation>
            <numerusform>%Ln Lauf gelöscht</numerusform>
            <numerusform>%Ln Läufe gelöscht</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lab::Workspaces</name>
    <message>
        <source>&amp;Teach</source>
        <translation>&amp;Lehren</translation>
    </message>
    <message>
        <source>&amp;Explore</source>
        <translation>&amp;Erkunden</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Sweep</source>
        <translation>&amp;Sweep</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profilieren</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>Arbeitsbereiche</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>The stage: one step as a movie</source>
        <translation>Die Bühne: ein Schritt als Film</translation>
    </message>
    <message>
        <source>The stage with the settings and what they change</source>
        <translation>Die Bühne mit den Einstellungen und dem, was sie ändern</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>Läufe nebeneinander</translation>
    </message>
    <message>
        <source>Many runs, as a table of cells</source>
        <translation>Viele Läufe als Tabelle aus Zellen</translation>
    </message>
    <message>
        <source>Where the time of a step goes</source>
        <translation>Wohin die Zeit eines Schritts geht</translation>
    </message>
</context>
<context>
    <name>lab::WrittenSum</name>
    <message>
        <source>%1 (the terms are rounded)</source>
        <translation>%1 (die Summanden sind gerundet)</translation>
    </message>
</context>
<context>
    <name>lab::ZoomedReplica</name>
    <message>
        <source>‹ All replicas</source>
        <translation>‹ Alle Replikate</translation>
    </message>
    <message>
        <source>It computed with %1, which this step&apos;s record does not have: no values to show.</source>
        <translation>Es hat mit %1 gerechnet, das in der Aufzeichnung dieses Schritts fehlt: keine Werte zu zeigen.</translation>
    </message>
    <message>
        <source>%1 is not recorded</source>
        <translation>%1 ist nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Batch normalisation over all replicas: the values need every replica&apos;s images.</source>
        <translation>Batch-Normalisierung über alle Replikate: Die Werte brauchen die Bilder aller Replikate.</translation>
    </message>
    <message>
        <source>needs every replica&apos;s images</source>
        <translation>braucht die Bilder aller</translation>
    </message>
    <message>
        <source>image %1 of %2</source>
        <translation>Bild %1 von %2</translation>
    </message>
    <message>
        <source>%1 · label %2</source>
        <translation>%1 · Label %2</translation>
    </message>
    <message>
        <source> · %1 to %2</source>
        <translation> · %1 bis %2</translation>
    </message>
    <message>
        <source>its loss: −ln %1 = %2</source>
        <translation>sein Verlust: −ln %1 = %2</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>its kernel, %1 values, in %2</source>
        <translation>ihr Kernel, %1 Werte, in %2</translation>
    </message>
    <message>
        <source>kernel in %1</source>
        <translation>Kernel in %1</translation>
    </message>
    <message>
        <source>in its gradient buffer</source>
        <translation>in seinem Gradientenpuffer</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>the largest: %1</source>
        <translation>der größte: %1</translation>
    </message>
    <message>
        <source>their mean: %1</source>
        <translation>ihr Mittel: %1</translation>
    </message>
    <message>
        <source>the sum of %1 products: %2</source>
        <translation>die Summe von %1 Produkten: %2</translation>
    </message>
    <message>
        <source>pixel · weight; the sum of the %1 products: %2</source>
        <translation>Pixel · Gewicht; die Summe der %1 Produkte: %2</translation>
    </message>
    <message>
        <source>+ bias %1 = %2</source>
        <translation>+ Bias %1 = %2</translation>
    </message>
    <message>
        <source>relu, never below 0: %1</source>
        <translation>relu, nie unter 0: %1</translation>
    </message>
    <message>
        <source>%1, unit %2</source>
        <translation>%1, Einheit %2</translation>
    </message>
    <message>
        <source>%1, map %2, row %3, column %4</source>
        <translation>%1, Karte %2, Zeile %3, Spalte %4</translation>
    </message>
    <message>
        <source>its gradient: not computed yet</source>
        <translation>sein Gradient: noch nicht berechnet</translation>
    </message>
    <message>
        <source>the image</source>
        <translation>das Bild</translation>
    </message>
    <message>
        <source>layers %1 to %2 of %3, then the classes: others show while they compute; what only passes values on is left out</source>
        <translation>Schichten %1 bis %2 von %3, dann die Klassen: andere erscheinen, während sie rechnen; was nur Werte weitergibt, fehlt</translation>
    </message>
    <message>
        <source>layers %1 to %2 of %3, then the classes</source>
        <translation>Schichten %1 bis %2 von %3, dann die Klassen</translation>
    </message>
</context>
</TS>
