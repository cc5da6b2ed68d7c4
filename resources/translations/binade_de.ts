<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-License-Identifier: Apache-2.0. Written by ./dev translations; docs/developing.md has the words. -->
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Binade</name>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source> (by its name a tensor-core kernel)</source>
        <translation> (dem Namen nach ein Tensorkern-Kernel)</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source> and %1 more</source>
        <translation> und %1 weitere</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source> The loss scaler differs.</source>
        <translation> Die Loss-Skalierer unterscheiden sich.</translation>
    </message>
    <message>
        <source> There are %1 more.</source>
        <translation> Es gibt %1 weitere.</translation>
    </message>
    <message>
        <source> tries</source>
        <translation> Versuche</translation>
    </message>
    <message>
        <source> · the float32 run also uses other formats</source>
        <translation> · auch der float32-Lauf verwendet andere Formate</translation>
    </message>
    <message>
        <source> · the model&apos;s own casts, removed for float32: %1</source>
        <translation> · eigene Casts des Modells, für float32 entfernt: %1</translation>
    </message>
    <message>
        <source> · the value is a mean; the text describes step %1, the worst</source>
        <translation> · der Wert ist ein Mittel; der Text beschreibt Schritt %1, den schlechtesten</translation>
    </message>
    <message>
        <source> · try %1</source>
        <translation> · Versuch %1</translation>
    </message>
    <message>
        <source> — %1</source>
        <translation> — %1</translation>
    </message>
    <message>
        <source>%1
%2
Click to go to this state.</source>
        <translation>%1
%2
Klicken, um zu diesem Zustand zu gehen.</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>%1  ·  %2</source>
        <translation>%1  ·  %2</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 %2 to %3</source>
        <translation>%1 %2 bis %3</translation>
    </message>
    <message>
        <source>%1 %2.</source>
        <translation>%1 %2.</translation>
    </message>
    <message>
        <source>%1 (%2 before)</source>
        <translation>%1 (%2 zuvor)</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1 (%2 von %3)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (autocast in bfloat16)</source>
        <translation>%1 (Autocast in bfloat16)</translation>
    </message>
    <message>
        <source>%1 (autocast in float16)</source>
        <translation>%1 (Autocast in float16)</translation>
    </message>
    <message>
        <source>%1 (bounds)</source>
        <translation>%1 (Schranken)</translation>
    </message>
    <message>
        <source>%1 (cast of %2)</source>
        <translation>%1 (Cast von %2)</translation>
    </message>
    <message>
        <source>%1 (emulated)</source>
        <translation>%1 (emuliert)</translation>
    </message>
    <message>
        <source>%1 (float32 everywhere)</source>
        <translation>%1 (überall float32)</translation>
    </message>
    <message>
        <source>%1 (gone)</source>
        <translation>%1 (nicht mehr da)</translation>
    </message>
    <message>
        <source>%1 (in use)</source>
        <translation>%1 (verwendet)</translation>
    </message>
    <message>
        <source>%1 (no room)</source>
        <translation>%1 (kein Platz)</translation>
    </message>
    <message>
        <source>%1 (now %2)</source>
        <translation>%1 (jetzt %2)</translation>
    </message>
    <message>
        <source>%1 (on %2)</source>
        <translation>%1 (auf %2)</translation>
    </message>
    <message>
        <source>%1 (target)</source>
        <translation>%1 (Ziel)</translation>
    </message>
    <message>
        <source>%1 (the same in every row)</source>
        <translation>%1 (in jeder Zeile gleich)</translation>
    </message>
    <message>
        <source>%1 (tie)</source>
        <translation>%1 (Mitte)</translation>
    </message>
    <message>
        <source>%1 + %2 in a cast</source>
        <translation>%1 + %2 in einem Cast</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 apart</source>
        <translation>%1 auseinander</translation>
    </message>
    <message>
        <source>%1 as stored</source>
        <translation>%1 wie gespeichert</translation>
    </message>
    <message>
        <source>%1 at %2, window %3</source>
        <translation>%1 an %2, Fenster %3</translation>
    </message>
    <message>
        <source>%1 before its cast</source>
        <translation>%1 vor seinem Cast</translation>
    </message>
    <message>
        <source>%1 bits of %2: 0 and 1, or hexadecimal behind 0x</source>
        <translation>%1 Bits von %2: 0 und 1, oder hexadezimal nach 0x</translation>
    </message>
    <message>
        <source>%1 cannot be reached. Check the network, a VPN, and whether the computer is on.</source>
        <translation>%1 ist nicht erreichbar. Prüfen Sie das Netz, ein VPN und ob der Rechner eingeschaltet ist.</translation>
    </message>
    <message>
        <source>%1 cannot be written. Choose another folder or name.</source>
        <translation>%1 lässt sich nicht schreiben. Anderen Ordner oder Namen wählen.</translation>
    </message>
    <message>
        <source>%1 cannot express all of the policy. Choose Approximate to write the nearest text.</source>
        <translation>%1 kann nicht die ganze Richtlinie ausdrücken. „Annähern“ wählen, um den nächstliegenden Text zu schreiben.</translation>
    </message>
    <message>
        <source>%1 casts (now %2)</source>
        <translation>%1 Casts (jetzt %2)</translation>
    </message>
    <message>
        <source>%1 casts a step</source>
        <translation>%1 Casts je Schritt</translation>
    </message>
    <message>
        <source>%1 casts were written into %2 op calls.</source>
        <translation>%1 Casts wurden in %2 Operatoraufrufe geschrieben.</translation>
    </message>
    <message>
        <source>%1 changes</source>
        <translation>%1 Änderungen</translation>
    </message>
    <message>
        <source>%1 changes against the base list %2</source>
        <translation>%1 Änderungen gegenüber der Basisliste %2</translation>
    </message>
    <message>
        <source>%1 checks left</source>
        <translation>%1 Prüfungen übrig</translation>
    </message>
    <message>
        <source>%1 comes from %2, in %3.</source>
        <translation>%1 stammt aus %2, in %3.</translation>
    </message>
    <message>
        <source>%1 comes from %2.</source>
        <translation>%1 stammt aus %2.</translation>
    </message>
    <message>
        <source>%1 contains no run: the engine ended before training began.</source>
        <translation>%1 enthält keinen Lauf: Die Engine endete vor dem Beginn des Trainings.</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2.</source>
        <translation>%1 ließ sich nicht öffnen: %2.</translation>
    </message>
    <message>
        <source>%1 could not be read: %2.</source>
        <translation>%1 ließ sich nicht lesen: %2.</translation>
    </message>
    <message>
        <source>%1 could not be started: %2.</source>
        <translation>%1 konnte nicht gestartet werden: %2.</translation>
    </message>
    <message>
        <source>%1 could not be written.</source>
        <translation>%1 ließ sich nicht schreiben.</translation>
    </message>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 ließ sich nicht schreiben: %2.</translation>
    </message>
    <message>
        <source>%1 could not replace %2.</source>
        <translation>%1 konnte %2 nicht ersetzen.</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>%1 did not list its trainings.</source>
        <translation>%1 hat seine Trainings nicht aufgelistet.</translation>
    </message>
    <message>
        <source>%1 doublings</source>
        <translation>%1 Verdopplungen</translation>
    </message>
    <message>
        <source>%1 earlier steps are only in the run file.</source>
        <translation>%1 frühere Schritte stehen nur in der Laufdatei.</translation>
    </message>
    <message>
        <source>%1 edits</source>
        <translation>%1 Änderungen</translation>
    </message>
    <message>
        <source>%1 edits the training, and this window watches it. Take over editing first.</source>
        <translation>%1 bearbeitet das Training, und dieses Fenster sieht zu. Übernehmen Sie zuerst die Bearbeitung.</translation>
    </message>
    <message>
        <source>%1 edits.</source>
        <translation>%1 bearbeitet.</translation>
    </message>
    <message>
        <source>%1 ends at a loss of %2 after %3 steps, %4 of them skipped.</source>
        <translation>%1 endet nach %3 Schritten, davon %4 übersprungen, bei einem Loss von %2.</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 Ereignisse</translation>
    </message>
    <message>
        <source>%1 events.</source>
        <translation>%1 Ereignisse.</translation>
    </message>
    <message>
        <source>%1 exists. Choose Replace to write over it.</source>
        <translation>%1 gibt es schon. Ersetzen überschreibt die Datei.</translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation>%1 existiert bereits. Ersetzen?</translation>
    </message>
    <message>
        <source>%1 faults</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>%1 fewer, exact</source>
        <translation>%1 weniger, exakt</translation>
    </message>
    <message>
        <source>%1 follows the base list</source>
        <translation>%1 folgen der Basisliste</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1 für %2</translation>
    </message>
    <message>
        <source>%1 for %2 op calls</source>
        <translation>%1 für %2 Operatoraufrufe</translation>
    </message>
    <message>
        <source>%1 gives only zeros</source>
        <translation>%1 liefert nur Nullen</translation>
    </message>
    <message>
        <source>%1 gradients are all 0 or NaN and set no limit</source>
        <translation>%1 Gradienten sind alle 0 oder NaN und setzen keine Grenze</translation>
    </message>
    <message>
        <source>%1 has %2 exponent bits. The largest value it can represent is %3. A result of %4 or more rounds to infinity.</source>
        <translation>%1 hat %2 Exponentenbits. Der größte darstellbare Wert ist %3. Ein Ergebnis ab %4 wird auf unendlich gerundet.</translation>
    </message>
    <message>
        <source>%1 has a smallest number, %2. A magnitude below half of it rounds to 0. No step is skipped for this, because no value becomes infinite, but a gradient that rounds to 0 changes no weight. A larger loss scale multiplies all gradients and moves them above this limit.</source>
        <translation>%1 hat eine kleinste Zahl, %2. Ein Betrag unter der Hälfte davon wird auf 0 gerundet. Deswegen wird kein Schritt übersprungen, weil kein Wert unendlich wird; ein auf 0 gerundeter Gradient ändert aber kein Gewicht. Eine größere Loss-Skalierung multipliziert alle Gradienten und hebt sie über diese Grenze.</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 in a cast</source>
        <translation>%1 in einem Cast</translation>
    </message>
    <message>
        <source>%1 inf</source>
        <translation>%1 inf</translation>
    </message>
    <message>
        <source>%1 is a folder.</source>
        <translation>%1 ist ein Ordner.</translation>
    </message>
    <message>
        <source>%1 is a link to %2, which does not exist.</source>
        <translation>%1 ist eine Verknüpfung mit %2, das nicht existiert.</translation>
    </message>
    <message>
        <source>%1 is an input of the model.</source>
        <translation>%1 ist eine Eingabe des Modells.</translation>
    </message>
    <message>
        <source>%1 is emulated</source>
        <translation>%1 wird emuliert</translation>
    </message>
    <message>
        <source>%1 is not a file of this computer.</source>
        <translation>%1 ist keine Datei dieses Rechners.</translation>
    </message>
    <message>
        <source>%1 is not a run file.</source>
        <translation>%1 ist keine Laufdatei.</translation>
    </message>
    <message>
        <source>%1 is not a TorchScript model, a policy, a run description, a run file or a lesson.</source>
        <translation>%1 ist weder TorchScript-Modell noch Richtlinie, Laufbeschreibung, Laufdatei oder Lektion.</translation>
    </message>
    <message>
        <source>%1 is not shown: it has %2.</source>
        <translation>%1 wird nicht angezeigt: es hat %2.</translation>
    </message>
    <message>
        <source>%1 is not training any more.</source>
        <translation>%1 trainiert nicht mehr.</translation>
    </message>
    <message>
        <source>%1 is not training any more: %2</source>
        <translation>%1 trainiert nicht mehr: %2</translation>
    </message>
    <message>
        <source>%1 is now the policy: %2, %3. Undo restores the one before.</source>
        <translation>%1 ist jetzt die Richtlinie: %2, %3. Rückgängig stellt die vorige wieder her.</translation>
    </message>
    <message>
        <source>%1 is on %2. Save a copy on this computer, or read it through the engine and leave it there.</source>
        <translation>%1 liegt auf %2. Speichern Sie eine Kopie auf diesem Rechner, oder lesen Sie die Datei durch die Engine und lassen Sie sie dort.</translation>
    </message>
    <message>
        <source>%1 is on %2. The copy has all steps that were recorded when it was made.</source>
        <translation>%1 liegt auf %2. Die Kopie enthält alle Schritte, die bis dahin aufgezeichnet waren.</translation>
    </message>
    <message>
        <source>%1 is there, but no ssh server answers at this port. Set the port in ~/.ssh/config.</source>
        <translation>%1 ist erreichbar, aber an diesem Port antwortet kein ssh-Server. Der Port lässt sich in ~/.ssh/config festlegen.</translation>
    </message>
    <message>
        <source>%1 is too large for a list of op calls.</source>
        <translation>%1 ist zu groß für eine Liste von Operatoraufrufen.</translation>
    </message>
    <message>
        <source>%1 is too large for a policy.</source>
        <translation>%1 ist zu groß für eine Richtlinie.</translation>
    </message>
    <message>
        <source>%1 is trusted from now on.</source>
        <translation>%1 gilt ab jetzt als vertrauenswürdig.</translation>
    </message>
    <message>
        <source>%1 lose part of their update to rounding</source>
        <translation>%1 verlieren einen Teil ihrer Aktualisierung durch Rundung</translation>
    </message>
    <message>
        <source>%1 loses %2</source>
        <translation>%1 verliert %2</translation>
    </message>
    <message>
        <source>%1 loses %2 of its update</source>
        <translation>%1 verliert %2 seiner Aktualisierung</translation>
    </message>
    <message>
        <source>%1 makes a copy that nothing changes any more: %2 %</source>
        <translation>%1 macht eine Kopie, die nichts mehr ändert: %2 %</translation>
    </message>
    <message>
        <source>%1 marks</source>
        <translation>%1 Marken</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>%1 modules</source>
        <translation>%1 Module</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>%1 more are not listed. Type the name.</source>
        <translation>%1 weitere sind nicht aufgelistet. Geben Sie den Namen ein.</translation>
    </message>
    <message>
        <source>%1 more are not valid; the log names the first of them.</source>
        <translation>%1 weitere sind ungültig; das Protokoll nennt das erste davon.</translation>
    </message>
    <message>
        <source>%1 more arguments come from other op calls.</source>
        <translation>%1 weitere Argumente kommen von anderen Operatoraufrufen.</translation>
    </message>
    <message>
        <source>%1 more op calls.</source>
        <translation>%1 weitere Operatoraufrufe.</translation>
    </message>
    <message>
        <source>%1 more, exact</source>
        <translation>%1 mehr, exakt</translation>
    </message>
    <message>
        <source>%1 NaN</source>
        <translation>%1 NaN</translation>
    </message>
    <message>
        <source>%1 never executed</source>
        <translation>%1 nie ausgeführt</translation>
    </message>
    <message>
        <source>%1 never executed are hidden</source>
        <translation>%1 nie ausgeführte sind ausgeblendet</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 nicht endlich</translation>
    </message>
    <message>
        <source>%1 not observed so far</source>
        <translation>%1 bisher nicht beobachtet</translation>
    </message>
    <message>
        <source>%1 not observed so far are hidden</source>
        <translation>%1 bisher nicht beobachtete sind ausgeblendet</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 lessons done</source>
        <translation>%1 von %2 Lektionen abgeschlossen</translation>
    </message>
    <message>
        <source>%1 of %2 loses %3</source>
        <translation>%1 von %2 verliert %3</translation>
    </message>
    <message>
        <source>%1 of %2 need attention: %3</source>
        <translation>%1 von %2 brauchen Aufmerksamkeit: %3</translation>
    </message>
    <message>
        <source>%1 of %2 op calls</source>
        <translation>%1 von %2 Operatoraufrufen</translation>
    </message>
    <message>
        <source>%1 of %2 op calls are in both</source>
        <translation>%1 von %2 Operatoraufrufen sind in beiden</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>%1 of %2 steps observed</source>
        <translation>%1 von %2 Schritten beobachtet</translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation>%1 von %2 Werten</translation>
    </message>
    <message>
        <source>%1 of a profiled step of %2</source>
        <translation>%1 eines profilierten Schritts von %2</translation>
    </message>
    <message>
        <source>%1 of its last %2 steps were skipped.</source>
        <translation>%1 der letzten %2 Schritte wurden übersprungen.</translation>
    </message>
    <message>
        <source>%1 of its norm becomes 0</source>
        <translation>%1 der Norm wird 0</translation>
    </message>
    <message>
        <source>%1 of the last %2</source>
        <translation>%1 der letzten %2</translation>
    </message>
    <message>
        <source>%1 of the values were 0 and are not counted.</source>
        <translation>%1 der Werte waren 0 und sind nicht gezählt.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 on %2: speed not measured</source>
        <translation>%1 auf %2: Tempo nicht gemessen</translation>
    </message>
    <message>
        <source>%1 op calls</source>
        <translation>%1 Operatoraufrufe</translation>
    </message>
    <message>
        <source>%1 op calls changed</source>
        <translation>%1 Operatoraufrufe geändert</translation>
    </message>
    <message>
        <source>%1 op calls differ:</source>
        <translation>%1 Operatoraufrufe unterscheiden sich:</translation>
    </message>
    <message>
        <source>%1 op calls follow the base list</source>
        <translation>%1 Operatoraufrufe folgen der Basisliste</translation>
    </message>
    <message>
        <source>%1 op calls to %2</source>
        <translation>%1 Operatoraufrufe auf %2</translation>
    </message>
    <message>
        <source>%1 op calls → %2</source>
        <translation>%1 Operatoraufrufe → %2</translation>
    </message>
    <message>
        <source>%1 op calls, folded</source>
        <translation>%1 Operatoraufrufe, eingeklappt</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 oder mehr</translation>
    </message>
    <message>
        <source>%1 other windows.</source>
        <translation>%1 weitere Fenster.</translation>
    </message>
    <message>
        <source>%1 overflow</source>
        <translation>%1 Überlauf</translation>
    </message>
    <message>
        <source>%1 overflows</source>
        <translation>%1 Überläufe</translation>
    </message>
    <message>
        <source>%1 overflows from</source>
        <translation>%1 läuft über ab</translation>
    </message>
    <message>
        <source>%1 parameters · %2</source>
        <translation>%1 Parameter · %2</translation>
    </message>
    <message>
        <source>%1 policies. Left and Right choose one.</source>
        <translation>%1 Richtlinien. Links und Rechts wählen eine aus.</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source>%1 receives only zeros as gradient</source>
        <translation>%1 erhält nur Nullen als Gradient</translation>
    </message>
    <message>
        <source>%1 removes it.</source>
        <translation>%1 beseitigt es.</translation>
    </message>
    <message>
        <source>%1 represents every whole number only up to %2. Beyond it, neighbouring whole numbers round to the same value, so that two positions or indices can no longer be distinguished.</source>
        <translation>%1 stellt ganze Zahlen nur bis %2 lückenlos dar. Darüber werden benachbarte ganze Zahlen auf denselben Wert gerundet, so dass sich zwei Positionen oder Indizes nicht mehr unterscheiden lassen.</translation>
    </message>
    <message>
        <source>%1 rules</source>
        <translation>%1 Regeln</translation>
    </message>
    <message>
        <source>%1 selected</source>
        <translation>%1 ausgewählt</translation>
    </message>
    <message>
        <source>%1 steps each from %2, same batches and random state, on %3 stretches of the data.</source>
        <translation>je %1 Schritte ab %2, gleiche Batches und gleicher Zufallszustand, auf %3 Abschnitten der Daten.</translation>
    </message>
    <message>
        <source>%1 steps each from %2, same batches and seed.</source>
        <translation>je %1 Schritte ab %2, gleiche Batches und gleicher Startwert.</translation>
    </message>
    <message>
        <source>%1 steps from step %2</source>
        <translation>%1 Schritte ab Schritt %2</translation>
    </message>
    <message>
        <source>%1 steps skipped</source>
        <translation>%1 Schritte übersprungen</translation>
    </message>
    <message>
        <source>%1 steps were skipped.</source>
        <translation>%1 Schritte wurden übersprungen.</translation>
    </message>
    <message>
        <source>%1 steps, ended with an error</source>
        <translation>%1 Schritte, mit einem Fehler beendet</translation>
    </message>
    <message>
        <source>%1 steps, loss %2</source>
        <translation>%1 Schritte, Loss %2</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%1 Schritte/s</translation>
    </message>
    <message>
        <source>%1 subnormals</source>
        <translation>%1 subnormale</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2: %3 values, %4</source>
        <translation>%1 bis %2: %3 Werte, %4</translation>
    </message>
    <message>
        <source>%1 training examples, %2 held out, %3 batches per epoch.</source>
        <translation>%1 Trainingsbeispiele, %2 zurückgehalten, %3 Batches je Epoche.</translation>
    </message>
    <message>
        <source>%1 tries</source>
        <translation>%1 Versuche</translation>
    </message>
    <message>
        <source>%1 until step %2; good since the edit at step %3</source>
        <translation>%1 bis Schritt %2; gut seit der Änderung bei Schritt %3</translation>
    </message>
    <message>
        <source>%1 values became 0.</source>
        <translation>%1 Werte wurden 0.</translation>
    </message>
    <message>
        <source>%1 values not finite</source>
        <translation>%1 Werte nicht endlich</translation>
    </message>
    <message>
        <source>%1 values saturated.</source>
        <translation>%1 Werte sind gesättigt.</translation>
    </message>
    <message>
        <source>%1 values were already infinite or NaN, in any format.</source>
        <translation>%1 Werte waren schon unendlich oder NaN, in jedem Format.</translation>
    </message>
    <message>
        <source>%1 was changed after it was recorded. The window shows the readable part. Open a complete copy of the file to see all.</source>
        <translation>%1 wurde nach der Aufzeichnung verändert. Das Fenster zeigt den lesbaren Teil. Eine vollständige Kopie der Datei öffnen, um alles zu sehen.</translation>
    </message>
    <message>
        <source>%1 was changed by another program or window.</source>
        <translation>%1 wurde von einem anderen Programm oder Fenster geändert.</translation>
    </message>
    <message>
        <source>%1 was deleted or moved.</source>
        <translation>%1 wurde gelöscht oder verschoben.</translation>
    </message>
    <message>
        <source>%1 was not opened, because its code does what models do not need. The list shows each place. Trust the file only if you know its author: then its code runs, without these checks. The engine is confined as before where the system allows it: it can use the named files only.</source>
        <translation>%1 wurde nicht geöffnet, weil sein Code tut, was Modelle nicht brauchen. Die Liste zeigt jede Stelle. Vertrauen Sie der Datei nur, wenn Sie den Autor kennen: Dann läuft ihr Code ohne diese Prüfungen. Die Engine bleibt abgeschottet, wo das System es erlaubt: Sie kann nur die genannten Dateien verwenden.</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>%1 was the last in %2 of the last %3 steps, on average %4 (%5 of a step) behind the fastest rank.</source>
        <translation>%1 war in %2 der letzten %3 Schritte der letzte, im Mittel %4 (%5 eines Schritts) hinter dem schnellsten Rang.</translation>
    </message>
    <message>
        <source>%1 was written to %2.</source>
        <translation>%1 wurde nach %2 geschrieben.</translation>
    </message>
    <message>
        <source>%1 was written, with %2 steps.</source>
        <translation>%1 wurde mit %2 Schritten geschrieben.</translation>
    </message>
    <message>
        <source>%1 was written, with 1 step.</source>
        <translation>%1 wurde mit 1 Schritt geschrieben.</translation>
    </message>
    <message>
        <source>%1 was written. Its first difference from the policy is in %2.</source>
        <translation>%1 wurde geschrieben. Der erste Unterschied zur Richtlinie liegt in %2.</translation>
    </message>
    <message>
        <source>%1 was written. Its results are identical to the engine&apos;s, to the bit.</source>
        <translation>%1 wurde geschrieben. Die Ergebnisse stimmen mit denen der Engine bis aufs Bit überein.</translation>
    </message>
    <message>
        <source>%1 with %2 changes</source>
        <translation>%1 mit %2 Änderungen</translation>
    </message>
    <message>
        <source>%1 with 1 change</source>
        <translation>%1 mit 1 Änderung</translation>
    </message>
    <message>
        <source>%1 would change:</source>
        <translation>%1 würde ändern:</translation>
    </message>
    <message>
        <source>%1 ± %2 points, confidence %3</source>
        <translation>%1 ± %2 Punkte, Konfidenz %3</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 %3 · loss gap %4 · %5</source>
        <translation>%1 · %2 %3 · Loss-Abstand %4 · %5</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 trainable parameters · forward(%4) → %5</source>
        <translation>%1 · %2 · %3 trainierbare Parameter · forward(%4) → %5</translation>
    </message>
    <message>
        <source>%1 · %2 · found in %3 observed steps, last at step %4</source>
        <translation>%1 · %2 · in %3 beobachteten Schritten gefunden, zuletzt bei Schritt %4</translation>
    </message>
    <message>
        <source>%1 · equal up to %2</source>
        <translation>%1 · gleich bis %2</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 × %2, %3</source>
        <translation>%1 × %2, %3</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>%1 — run file</source>
        <translation>%1 — Laufdatei</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1 → %2 (%3%4)</source>
        <translation>%1 → %2 (%3%4)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2 in %3: %4 values in %5 blocks, signal to noise %6.</source>
        <translation>%1, %2 in %3: %4 Werte in %5 Blöcken, Signal-Rausch-Abstand %6.</translation>
    </message>
    <message>
        <source>%1, %2 more hidden</source>
        <translation>%1, %2 weitere ausgeblendet</translation>
    </message>
    <message>
        <source>%1, %2 of a step</source>
        <translation>%1, %2 eines Schritts</translation>
    </message>
    <message>
        <source>%1, %2 of the loss</source>
        <translation>%1, %2 des Loss</translation>
    </message>
    <message>
        <source>%1, %2, folded</source>
        <translation>%1, %2, eingeklappt</translation>
    </message>
    <message>
        <source>%1, %2, unfolded</source>
        <translation>%1, %2, ausgeklappt</translation>
    </message>
    <message>
        <source>%1, %2.</source>
        <translation>%1, %2.</translation>
    </message>
    <message>
        <source>%1, %2: %3.</source>
        <translation>%1, %2: %3.</translation>
    </message>
    <message>
        <source>%1, %2: measured on the operand itself at step %3, in its first execution. %4 values; not derived from a histogram.</source>
        <translation>%1, %2: am Operanden selbst gemessen, in Schritt %3, bei seiner ersten Ausführung. %4 Werte; nicht aus einem Histogramm abgeleitet.</translation>
    </message>
    <message>
        <source>%1, after its cast</source>
        <translation>%1, nach seinem Cast</translation>
    </message>
    <message>
        <source>%1, again in the next run</source>
        <translation>%1, wieder im nächsten Lauf</translation>
    </message>
    <message>
        <source>%1, again since step %2</source>
        <translation>%1, wieder seit Schritt %2</translation>
    </message>
    <message>
        <source>%1, against revision %2</source>
        <translation>%1, gegenüber Revision %2</translation>
    </message>
    <message>
        <source>%1, and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1, back to the list</source>
        <translation>%1, zurück zur Liste</translation>
    </message>
    <message>
        <source>%1, before %2</source>
        <translation>%1, vor %2</translation>
    </message>
    <message>
        <source>%1, but %2</source>
        <translation>%1, aber %2</translation>
    </message>
    <message>
        <source>%1, call %2</source>
        <translation>%1, Aufruf %2</translation>
    </message>
    <message>
        <source>%1, columns %2 to %3</source>
        <translation>%1, Spalten %2 bis %3</translation>
    </message>
    <message>
        <source>%1, done</source>
        <translation>%1, erledigt</translation>
    </message>
    <message>
        <source>%1, emulated</source>
        <translation>%1, emuliert</translation>
    </message>
    <message>
        <source>%1, forward and backward</source>
        <translation>%1, Vorwärts- und Rückwärtslauf</translation>
    </message>
    <message>
        <source>%1, gradients %2</source>
        <translation>%1, Gradienten %2</translation>
    </message>
    <message>
        <source>%1, hidden</source>
        <translation>%1, ausgeblendet</translation>
    </message>
    <message>
        <source>%1, mean of %2</source>
        <translation>%1, Mittel von %2</translation>
    </message>
    <message>
        <source>%1, module with %2 op calls, collapsed</source>
        <translation>%1, Modul mit %2 Operatoraufrufen, eingeklappt</translation>
    </message>
    <message>
        <source>%1, module with %2 op calls, expanded</source>
        <translation>%1, Modul mit %2 Operatoraufrufen, ausgeklappt</translation>
    </message>
    <message>
        <source>%1, next step</source>
        <translation>%1, nächster Schritt</translation>
    </message>
    <message>
        <source>%1, reported</source>
        <translation>%1, gemeldet</translation>
    </message>
    <message>
        <source>%1, series %2 of %3</source>
        <translation>%1, Reihe %2 von %3</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>%1, step %2: %3</source>
        <translation>%1, Schritt %2: %3</translation>
    </message>
    <message>
        <source>%1, undone</source>
        <translation>%1, rückgängig gemacht</translation>
    </message>
    <message>
        <source>%1, worst first</source>
        <translation>%1, schlechteste zuerst</translation>
    </message>
    <message>
        <source>%1. %2, %3</source>
        <translation>%1. %2, %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 after step %3</source>
        <translation>%1: %2 nach Schritt %3</translation>
    </message>
    <message>
        <source>%1: %2 before, %3 after, difference %4, %5</source>
        <translation>%1: %2 vorher, %3 nachher, Differenz %4, %5</translation>
    </message>
    <message>
        <source>%1: %2 blocks</source>
        <translation>%1: %2 Blöcke</translation>
    </message>
    <message>
        <source>%1: %2 of %3 op calls. Right expands the module, Left collapses it.</source>
        <translation>%1: %2 von %3 Operatoraufrufen. Rechts klappt das Modul aus, Links klappt es ein.</translation>
    </message>
    <message>
        <source>%1: %2 … %3</source>
        <translation>%1: %2 … %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>%1: %2 → %3 (%4)</source>
        <translation>%1: %2 → %3 (%4)</translation>
    </message>
    <message>
        <source>%1: becomes 0 %2, subnormal %3, normal %4, overflow %5</source>
        <translation>%1: wird 0 %2, subnormal %3, normal %4, Überlauf %5</translation>
    </message>
    <message>
        <source>%1: follow the base list</source>
        <translation>%1: der Basisliste folgen</translation>
    </message>
    <message>
        <source>%1: largest %2</source>
        <translation>%1: größter Betrag %2</translation>
    </message>
    <message>
        <source>%1: largest %2 (%3), smallest normal %4, smallest subnormal %5, %6 significant bits</source>
        <translation>%1: größter Wert %2 (%3), kleinster normaler %4, kleinster subnormaler %5, %6 signifikante Bits</translation>
    </message>
    <message>
        <source>%1: nothing matches</source>
        <translation>%1: keine Treffer</translation>
    </message>
    <message>
        <source>%1: one undo step</source>
        <translation>%1: ein Rückgängig-Schritt</translation>
    </message>
    <message>
        <source>%1: step %2 of %3, loss %4.</source>
        <translation>%1: Schritt %2 von %3, Loss %4.</translation>
    </message>
    <message>
        <source>%1: the first of %2 steps is running.</source>
        <translation>%1: der erste von %2 Schritten läuft.</translation>
    </message>
    <message>
        <source>%1: the model is being loaded.</source>
        <translation>%1: das Modell wird geladen.</translation>
    </message>
    <message>
        <source>%1: the share of the tensor&apos;s norm that becomes 0 is unknown.</source>
        <translation>%1: der Anteil der Tensornorm, der 0 wird, ist unbekannt.</translation>
    </message>
    <message>
        <source>%1: values that become 0 have %2 of the tensor&apos;s norm.</source>
        <translation>%1: Werte, die 0 werden, machen %2 der Tensornorm aus.</translation>
    </message>
    <message>
        <source>%1; emulated, so it says nothing about the format&apos;s speed</source>
        <translation>%1; emuliert und ohne Aussage über die Geschwindigkeit des Formats</translation>
    </message>
    <message>
        <source>%1[*] — Binade</source>
        <translation>%1[*] — Binade</translation>
    </message>
    <message numerus="yes">
        <source>%n lessons done</source>
        <translation>
            <numerusform>%n Lektion abgeschlossen</numerusform>
            <numerusform>%n Lektionen abgeschlossen</numerusform>
        </translation>
    </message>
    <message>
        <source>&amp;About Binade</source>
        <translation>Ü&amp;ber Binade</translation>
    </message>
    <message>
        <source>&amp;Approximate rules that the target cannot express</source>
        <translation>Regeln &amp;annähern, die das Ziel nicht ausdrücken kann</translation>
    </message>
    <message>
        <source>&amp;Approximate what the target cannot express</source>
        <translation>&amp;Annähern, was das Ziel nicht ausdrücken kann</translation>
    </message>
    <message>
        <source>&amp;Attach</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>&amp;Attach to a running training…</source>
        <translation>Mit einem &amp;laufenden Training verbinden …</translation>
    </message>
    <message>
        <source>&amp;Base list</source>
        <translation>&amp;Basisliste</translation>
    </message>
    <message>
        <source>&amp;Choose steps and op calls…</source>
        <translation>Schritte und Operatoraufrufe &amp;wählen …</translation>
    </message>
    <message>
        <source>&amp;Clear list</source>
        <translation>Liste &amp;leeren</translation>
    </message>
    <message>
        <source>&amp;Command</source>
        <translation>&amp;Befehl</translation>
    </message>
    <message>
        <source>&amp;Compare one step with float32</source>
        <translation>Einen Schritt mit float32 &amp;vergleichen</translation>
    </message>
    <message>
        <source>&amp;Connect to another computer&apos;s engine…</source>
        <translation>Mit der Engine eines anderen Rechners &amp;verbinden …</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>&amp;Diagnose</source>
        <translation>&amp;Diagnose</translation>
    </message>
    <message>
        <source>&amp;Download</source>
        <translation>&amp;Herunterladen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;End trust</source>
        <translation>Vertrauen be&amp;enden</translation>
    </message>
    <message>
        <source>&amp;Engine</source>
        <translation>&amp;Engine</translation>
    </message>
    <message>
        <source>&amp;Every step</source>
        <translation>&amp;Jeder Schritt</translation>
    </message>
    <message>
        <source>&amp;Explore</source>
        <translation>&amp;Erkunden</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Export policy…</source>
        <translation>Richtlinie &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Filter op calls</source>
        <translation>Operatoraufrufe &amp;filtern</translation>
    </message>
    <message>
        <source>&amp;Generalise</source>
        <translation>&amp;Verallgemeinern</translation>
    </message>
    <message>
        <source>&amp;Go to step…</source>
        <translation>&amp;Gehe zu Schritt …</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Hidden files</source>
        <translation>&amp;Versteckte Dateien</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>&amp;Hoher Kontrast</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>&amp;Rechner</translation>
    </message>
    <message>
        <source>&amp;Import policy list…</source>
        <translation>Richtlinienliste &amp;importieren …</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>&amp;Lernen</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>&amp;Let go of the training</source>
        <translation>Trainin&amp;g loslassen</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>&amp;Stufe</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;List trainings</source>
        <translation>Trainings auf&amp;listen</translation>
    </message>
    <message>
        <source>&amp;Minimise</source>
        <translation>&amp;Minimieren</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>&amp;Namen</translation>
    </message>
    <message>
        <source>&amp;Number formats</source>
        <translation>&amp;Zahlenformate</translation>
    </message>
    <message>
        <source>&amp;Numbers</source>
        <translation>&amp;Zahlen</translation>
    </message>
    <message>
        <source>&amp;Observe</source>
        <translation>Be&amp;obachten</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>&amp;Policy</source>
        <translation>&amp;Richtlinie</translation>
    </message>
    <message>
        <source>&amp;Profile</source>
        <translation>&amp;Profil</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Read without a copy</source>
        <translation>Ohne Kopie &amp;lesen</translation>
    </message>
    <message>
        <source>&amp;Restore default layout</source>
        <translation>&amp;Standardanordnung wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>&amp;Save a copy here…</source>
        <translation>Kopie hier &amp;speichern …</translation>
    </message>
    <message>
        <source>&amp;Save policy</source>
        <translation>Richtlinie &amp;speichern</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern …</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>Z&amp;eigen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>&amp;Try the newest edit</source>
        <translation>&amp;Neueste Änderung versuchen</translation>
    </message>
    <message>
        <source>&amp;Tune</source>
        <translation>&amp;Abstimmen</translation>
    </message>
    <message>
        <source>&amp;Use this computer&apos;s engine</source>
        <translation>Engine dieses Comp&amp;uters benutzen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Weights</source>
        <translation>&amp;Gewichte</translation>
    </message>
    <message>
        <source>&amp;What have I changed</source>
        <translation>&amp;Was habe ich geändert</translation>
    </message>
    <message>
        <source>&amp;What&apos;s this?</source>
        <translation>&amp;Was ist das?</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>&amp;Schreiben nach</translation>
    </message>
    <message>
        <source>(after step %1)</source>
        <translation>(nach Schritt %1)</translation>
    </message>
    <message>
        <source>(at step %1)</source>
        <translation>(bei Schritt %1)</translation>
    </message>
    <message>
        <source>(current)</source>
        <translation>(aktuell)</translation>
    </message>
    <message>
        <source>+ and −, or the wheel</source>
        <translation>+ und − oder das Mausrad</translation>
    </message>
    <message>
        <source>, %1 not finite</source>
        <translation>, %1 nicht endlich</translation>
    </message>
    <message>
        <source>, %1 of the step</source>
        <translation>, %1 des Schritts</translation>
    </message>
    <message>
        <source>, %1 repetitions</source>
        <translation>, %1 Wiederholungen</translation>
    </message>
    <message>
        <source>, backward</source>
        <translation>, rückwärts</translation>
    </message>
    <message>
        <source>, call %1</source>
        <translation>, Aufruf %1</translation>
    </message>
    <message>
        <source>, forward</source>
        <translation>, vorwärts</translation>
    </message>
    <message>
        <source>, no inf</source>
        <translation>, kein inf</translation>
    </message>
    <message>
        <source>, scale %1</source>
        <translation>, Skalierung %1</translation>
    </message>
    <message>
        <source>. Window as if the loss scale were %1</source>
        <translation>. Fenster, als wäre die Loss-Skalierung %1</translation>
    </message>
    <message>
        <source>. Window as if the values were × %1</source>
        <translation>. Fenster, als wären die Werte × %1</translation>
    </message>
    <message>
        <source>0 % of the time on tensor cores</source>
        <translation>0 % der Zeit auf Tensorkernen</translation>
    </message>
    <message>
        <source>0 lies in no binade, so no row of this map shows it.</source>
        <translation>0 liegt in keiner Binade und steht daher in keiner Zeile dieser Karte.</translation>
    </message>
    <message>
        <source>1 change</source>
        <translation>1 Änderung</translation>
    </message>
    <message>
        <source>1 change against the base list %1</source>
        <translation>1 Änderung gegenüber der Basisliste %1</translation>
    </message>
    <message>
        <source>1 check left</source>
        <translation>1 Prüfung übrig</translation>
    </message>
    <message>
        <source>1 event.</source>
        <translation>1 Ereignis.</translation>
    </message>
    <message>
        <source>1 fault</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>1 never executed is hidden</source>
        <translation>1 nie ausgeführter ist ausgeblendet</translation>
    </message>
    <message>
        <source>1 not observed so far is hidden</source>
        <translation>1 bisher nicht beobachteter ist ausgeblendet</translation>
    </message>
    <message>
        <source>1 op call</source>
        <translation>1 Operatoraufruf</translation>
    </message>
    <message>
        <source>1 op call differs:</source>
        <translation>1 Operatoraufruf unterscheidet sich:</translation>
    </message>
    <message>
        <source>1 other window.</source>
        <translation>1 weiteres Fenster.</translation>
    </message>
    <message>
        <source>1 overflow</source>
        <translation>1 Überlauf</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>1 try</source>
        <translation>1 Versuch</translation>
    </message>
    <message>
        <source>100 %</source>
        <translation>100 %</translation>
    </message>
    <message>
        <source>95 %: %1 to %2</source>
        <translation>95 %: %1 bis %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;Binade %1&lt;/b&gt;&lt;p&gt;An interactive precision explorer for mixed-precision training.&lt;/p&gt;&lt;p&gt;A binade is the set of numbers that share an exponent.&lt;/p&gt;&lt;p&gt;Apache License 2.0&lt;/p&gt;</source>
        <translation>&lt;b&gt;Binade %1&lt;/b&gt;&lt;p&gt;Ein interaktives Programm zum Erkunden der Genauigkeit beim Training mit gemischter Genauigkeit.&lt;/p&gt;&lt;p&gt;Eine Binade ist die Menge der Zahlen mit demselben Exponenten.&lt;/p&gt;&lt;p&gt;Apache License 2.0&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&gt; 1 %</source>
        <translation>&gt; 1 %</translation>
    </message>
    <message>
        <source>[FILE...]</source>
        <translation>[DATEI…]</translation>
    </message>
    <message>
        <source>A %1 → B %2: %3 steps</source>
        <translation>A %1 → B %2: %3 Schritte</translation>
    </message>
    <message>
        <source>a buffer of the model</source>
        <translation>ein Puffer des Modells</translation>
    </message>
    <message>
        <source>A buffer of the model was not finite before the step began.</source>
        <translation>Ein Puffer des Modells war vor Beginn des Schritts nicht endlich.</translation>
    </message>
    <message>
        <source>A checkpoint to resume. The run uses its policy.</source>
        <translation>Ein Checkpoint zum Fortsetzen. Der Lauf verwendet dessen Richtlinie.</translation>
    </message>
    <message>
        <source>A comparison needs the step&apos;s weights and batch. Start the run again to compare one of its steps.</source>
        <translation>Ein Vergleich braucht die Gewichte und den Batch des Schritts. Den Lauf neu starten, um einen seiner Schritte zu vergleichen.</translation>
    </message>
    <message>
        <source>A figure of a lesson would appear here.</source>
        <translation>Hier würde eine Abbildung einer Lektion erscheinen.</translation>
    </message>
    <message>
        <source>A file of &amp;this computer…</source>
        <translation>Datei &amp;dieses Rechners …</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei …</translation>
    </message>
    <message>
        <source>A finite value became infinite in a cast.</source>
        <translation>Ein endlicher Wert wurde in einem Cast unendlich.</translation>
    </message>
    <message>
        <source>A folder with the four IDX files, plain or gzip-compressed.</source>
        <translation>Ein Ordner mit den vier IDX-Dateien, unkomprimiert oder mit gzip gepackt.</translation>
    </message>
    <message>
        <source>A format with sign, exponent and fraction bits: e&lt;E&gt;m&lt;M&gt;. Return adds its row.</source>
        <translation>Ein Format mit Vorzeichen, Exponenten- und Mantissenbits: e&lt;E&gt;m&lt;M&gt;. Die Eingabetaste fügt seine Zeile hinzu.</translation>
    </message>
    <message>
        <source>A function of the named outputs and the target that returns one number. Policies can name its op calls.</source>
        <translation>Eine Funktion der benannten Ausgaben und des Ziels, die eine Zahl liefert. Richtlinien können ihre Operatoraufrufe benennen.</translation>
    </message>
    <message>
        <source>A host cannot begin with a hyphen: ssh would take it for an option.</source>
        <translation>Ein Rechnername kann nicht mit einem Bindestrich beginnen: ssh würde ihn als Option lesen.</translation>
    </message>
    <message>
        <source>A host has no spaces. Enter the command in its own field.</source>
        <translation>Ein Rechnername enthält keine Leerzeichen. Den Befehl in sein eigenes Feld eingeben.</translation>
    </message>
    <message>
        <source>A JSON file for binade-engine train.</source>
        <translation>Eine JSON-Datei für binade-engine train.</translation>
    </message>
    <message>
        <source>A lesson is a short Markdown file; open another one.</source>
        <translation>Eine Lektion ist eine kurze Markdown-Datei; eine andere öffnen.</translation>
    </message>
    <message>
        <source>A list has at most 16 MiB.</source>
        <translation>Eine Liste hat höchstens 16 MiB.</translation>
    </message>
    <message>
        <source>A long step may still be running. Wait, or restart the engine.</source>
        <translation>Vielleicht läuft noch ein langer Schritt. Warten oder die Engine neu starten.</translation>
    </message>
    <message>
        <source>A loss of LibTorch, or text for your own loss in TorchScript.</source>
        <translation>Ein Loss von LibTorch oder Text für einen eigenen Loss in TorchScript.</translation>
    </message>
    <message>
        <source>A loss scale moves all gradients by as many binades. The slider shows, for another scale, which values would overflow the format and which would become 0; the table gives their shares. Set scale then uses it in the run.</source>
        <translation>Eine Loss-Skalierung verschiebt alle Gradienten um gleich viele Binaden. Der Schieber zeigt für eine andere Skalierung, welche Werte das Format überlaufen und welche 0 würden; die Tabelle nennt ihre Anteile. „Skalierung setzen“ verwendet sie dann im Lauf.</translation>
    </message>
    <message>
        <source>A loss scale multiplies gradients so that they stay above the smallest numbers of a format. A scale below 1 makes them smaller. It fell so far because one gradient overflows at every higher scale. That gradient needs a wider format, or smaller values.</source>
        <translation>Eine Loss-Skalierung multipliziert Gradienten, damit sie über den kleinsten Zahlen eines Formats bleiben. Eine Skalierung unter 1 macht sie kleiner. Sie ist so weit gefallen, weil ein Gradient bei jeder höheren Skalierung überläuft. Dieser Gradient braucht ein breiteres Format oder kleinere Werte.</translation>
    </message>
    <message>
        <source>A message of the engine was ignored: %1</source>
        <translation>Eine Nachricht der Engine wurde ignoriert: %1</translation>
    </message>
    <message>
        <source>A model is a program. Its code is checked before it runs, but without confinement nothing limits what the check misses. Start the engine only if you open models of authors you know. The limits that the system has still apply.</source>
        <translation>Ein Modell ist ein Programm. Sein Code wird geprüft, bevor er läuft, aber ohne Abschottung begrenzt nichts, was die Prüfung übersieht. Starten Sie die Engine nur, wenn Sie Modelle von Autoren öffnen, die Sie kennen. Die Grenzen, die das System hat, gelten weiterhin.</translation>
    </message>
    <message>
        <source>A name of your choice. Losses refer to the target by this name.</source>
        <translation>Ein frei gewählter Name. Loss-Funktionen verweisen mit ihm auf das Ziel.</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>A number: 1024, 0.5, 1e-5, 2^-11, inf or nan</source>
        <translation>Eine Zahl: 1024, 0.5, 1e-5, 2^-11, inf oder nan</translation>
    </message>
    <message>
        <source>A number: 65519.996, 1e-5, 2^-24, 0x1.8p-3, inf or nan</source>
        <translation>Eine Zahl: 65519.996, 1e-5, 2^-24, 0x1.8p-3, inf oder nan</translation>
    </message>
    <message>
        <source>A power of two such as 2^16. PyTorch&apos;s default is 65536.</source>
        <translation>Eine Zweierpotenz wie 2^16. Die Voreinstellung von PyTorch ist 65536.</translation>
    </message>
    <message>
        <source>A report is still being written.</source>
        <translation>Ein Bericht wird noch geschrieben.</translation>
    </message>
    <message>
        <source>A rule of it matches no op call of the model, so it does nothing.</source>
        <translation>Eine ihrer Regeln passt auf keinen Operatoraufruf des Modells und bewirkt nichts.</translation>
    </message>
    <message>
        <source>A rule with forward, grad_input or grad_weight in a format such as mxfp8 or nvfp4 quantizes the operands of an op call. Their figures appear here after the next observed step.</source>
        <translation>Eine Regel mit forward, grad_input oder grad_weight in einem Format wie mxfp8 oder nvfp4 quantisiert die Operanden eines Operatoraufrufs. Ihre Zahlen erscheinen hier nach dem nächsten beobachteten Schritt.</translation>
    </message>
    <message>
        <source>A run is in progress in this window. Stop it and attach to the training?</source>
        <translation>In diesem Fenster läuft ein Lauf. Anhalten und mit dem Training verbinden?</translation>
    </message>
    <message>
        <source>A run is in progress, so %1 was not opened.</source>
        <translation>Ein Lauf ist im Gange, daher wurde %1 nicht geöffnet.</translation>
    </message>
    <message>
        <source>A run is in progress. Stop it and run the demo?</source>
        <translation>Ein Lauf ist im Gange. Anhalten und die Vorführung starten?</translation>
    </message>
    <message>
        <source>A run is in progress. Stop it and run the experiment?</source>
        <translation>Ein Lauf ist im Gange. Anhalten und das Experiment starten?</translation>
    </message>
    <message>
        <source>A run is starting, so %1 was not opened.</source>
        <translation>Ein Lauf startet gerade, daher wurde %1 nicht geöffnet.</translation>
    </message>
    <message>
        <source>A run that failed</source>
        <translation>Ein fehlgeschlagener Lauf</translation>
    </message>
    <message>
        <source>A safetensors or torch.save file. Empty: the weights in the model file.</source>
        <translation>Eine safetensors- oder torch.save-Datei. Leer: die Gewichte in der Modelldatei.</translation>
    </message>
    <message>
        <source>A search for a repair proposes policies with few changes, and proves each by training beside float32, or beside the same policy without scaled formats if it has any. The run itself goes on.</source>
        <translation>Eine Suche nach einer Reparatur schlägt Richtlinien mit wenigen Änderungen vor und prüft jede durch ein Training neben float32 oder, falls die Richtlinie skalierte Formate hat, neben ihr ohne diese. Der Lauf selbst geht weiter.</translation>
    </message>
    <message>
        <source>A search is in progress.</source>
        <translation>Eine Suche ist im Gange.</translation>
    </message>
    <message>
        <source>A search is in progress. A Try beside it would slow down both, and make their times wrong.</source>
        <translation>Eine Suche ist im Gange. Ein Versuch daneben würde beide verlangsamen und ihre Zeiten verfälschen.</translation>
    </message>
    <message>
        <source>A search needs a state from before the losses that are not finite.</source>
        <translation>Eine Suche braucht einen Zustand von vor den nicht endlichen Loss-Werten.</translation>
    </message>
    <message>
        <source>A search proposes policies, cheapest first, and proves each by training beside the present one. The run itself goes on.</source>
        <translation>Eine Suche schlägt Richtlinien vor, die günstigste zuerst, und prüft jede durch ein Training neben der jetzigen. Der Lauf selbst geht weiter.</translation>
    </message>
    <message>
        <source>A second run file lies over this run in all charts. Here its op calls and its policy are compared with those of this run.</source>
        <translation>Eine zweite Laufdatei liegt in allen Diagrammen über diesem Lauf. Hier werden ihre Operatoraufrufe und ihre Richtlinie mit denen dieses Laufs verglichen.</translation>
    </message>
    <message>
        <source>A skipped step, a NaN or an inf would appear here.</source>
        <translation>Hier würde ein übersprungener Schritt, ein NaN oder ein inf erscheinen.</translation>
    </message>
    <message>
        <source>A small network on Fashion-MNIST in float16. The loss scale skips, backs off and grows within a minute.</source>
        <translation>Ein kleines Netz auf Fashion-MNIST in float16. Innerhalb einer Minute überspringt die Loss-Skalierung Schritte, geht zurück und wächst.</translation>
    </message>
    <message>
        <source>A softmax depends only on differences. The larger its inputs are, the coarser is their spacing in %1: differences below one unit in the last place are lost, and attention concentrates on one position.</source>
        <translation>Ein Softmax hängt nur von Differenzen ab. Je größer seine Eingaben sind, desto gröber ist ihr Abstand in %1: Differenzen unter einer Einheit der letzten Stelle gehen verloren, und die Aufmerksamkeit sammelt sich auf einer Position.</translation>
    </message>
    <message>
        <source>A step&apos;s casts then move %1 less.</source>
        <translation>Die Casts eines Schritts bewegen dann %1 weniger.</translation>
    </message>
    <message>
        <source>A step&apos;s casts then move %1 more.</source>
        <translation>Die Casts eines Schritts bewegen dann %1 mehr.</translation>
    </message>
    <message>
        <source>A step&apos;s casts then move as much as now.</source>
        <translation>Die Casts eines Schritts bewegen dann so viel wie jetzt.</translation>
    </message>
    <message>
        <source>a sum at %1 is %2 off</source>
        <translation>eine Summe bei %1 weicht um %2 ab</translation>
    </message>
    <message>
        <source>a sum of finite gradients overflowed</source>
        <translation>eine Summe endlicher Gradienten ist übergelaufen</translation>
    </message>
    <message>
        <source>A target needs a unique name.</source>
        <translation>Ein Ziel braucht einen eindeutigen Namen.</translation>
    </message>
    <message>
        <source>A text file for a report of a fault. It contains the checked parts, exactly as shown, and nothing else: no model, no data, no names of recent files. Your home folder is written as ~.</source>
        <translation>Eine Textdatei für eine Fehlermeldung. Sie enthält genau die angekreuzten Teile, wie angezeigt, und nichts sonst: kein Modell, keine Daten, keine Namen zuletzt benutzter Dateien. Der persönliche Ordner wird als ~ geschrieben.</translation>
    </message>
    <message>
        <source>A TorchScript file. Train it, change the format of any op call, and observe the effect.</source>
        <translation>Eine TorchScript-Datei. Sie trainieren, das Format jedes Operatoraufrufs ändern und die Wirkung beobachten.</translation>
    </message>
    <message>
        <source>A TorchScript model, a policy (*.policy.json), a run description (*.run.json), a run (*.binade) or a lesson (*.md). A policy beside a model or a run description is the one that its run starts with.</source>
        <translation>Ein TorchScript-Modell, eine Richtlinie (*.policy.json), eine Laufbeschreibung (*.run.json), ein Lauf (*.binade) oder eine Lektion (*.md). Mit einer Richtlinie neben einem Modell oder einer Laufbeschreibung startet deren Lauf.</translation>
    </message>
    <message>
        <source>A Try is in progress.</source>
        <translation>Ein Versuch ist im Gange.</translation>
    </message>
    <message>
        <source>A Try is in progress. A search beside it would slow down both, and make their times wrong.</source>
        <translation>Ein Versuch ist im Gange. Eine Suche daneben würde beide verlangsamen und ihre Zeiten verfälschen.</translation>
    </message>
    <message>
        <source>A try trains under one policy, beside the policy to compare with. The search ends at the first limit that it reaches.</source>
        <translation>Ein Versuch trainiert unter einer Richtlinie, neben der Richtlinie, mit der verglichen wird. Die Suche endet an der ersten erreichten Grenze.</translation>
    </message>
    <message>
        <source>A Try trains under two policies from one state of the run, on the same batches, and a third time to show what rounding alone does. The run itself goes on.</source>
        <translation>Ein Versuch trainiert von einem Zustand des Laufs aus unter zwei Richtlinien, auf denselben Batches, und ein drittes Mal, um die Wirkung der Rundung allein zu zeigen. Der Lauf selbst geht weiter.</translation>
    </message>
    <message>
        <source>A value above the largest number of the format, after scaling, becomes that number. The result is finite, so no step is skipped, but the largest values of the tensor are wrong. Scales that are rounded down let some values saturate.</source>
        <translation>Ein Wert, der nach der Skalierung über der größten Zahl des Formats liegt, wird zu dieser Zahl. Das Ergebnis ist endlich, daher wird kein Schritt übersprungen, aber die größten Werte des Tensors sind falsch. Abgerundete Skalen lassen einige Werte sättigen.</translation>
    </message>
    <message>
        <source>A value overflowed in the forward pass.</source>
        <translation>Ein Wert ist im Vorwärtslauf übergelaufen.</translation>
    </message>
    <message>
        <source>A value that became 0 leaves no infinity, so it shows only beside the exact step. The comparison runs one step twice from the same weights and batch, and lists the op calls by the error that they add. The weights are restored afterwards.</source>
        <translation>Ein Wert, der 0 wurde, hinterlässt keine Unendlichkeit und zeigt sich daher nur neben dem genauen Schritt. Der Vergleich führt einen Schritt zweimal mit denselben Gewichten und demselben Batch aus und ordnet die Operatoraufrufe nach dem Fehler, den sie hinzufügen. Danach werden die Gewichte wiederhergestellt.</translation>
    </message>
    <message>
        <source>A value underflowed to 0, and a later operation has no finite result for 0.</source>
        <translation>Ein Wert lief auf 0 unter, und eine spätere Operation hat für 0 kein endliches Ergebnis.</translation>
    </message>
    <message>
        <source>a weight</source>
        <translation>ein Gewicht</translation>
    </message>
    <message>
        <source>A weight in %1 has %2 bits for its digits. An update much smaller than the weight is less than half the distance to the next number of the format, so the sum rounds to the old weight: the weight does not change although its gradient is not 0. A float32 copy of the weight accumulates such updates.</source>
        <translation>Ein Gewicht in %1 hat %2 Bits für seine Stellen. Eine Aktualisierung, die viel kleiner als das Gewicht ist, beträgt weniger als die halbe Entfernung zur nächsten Zahl des Formats; die Summe wird also auf das alte Gewicht gerundet: Das Gewicht ändert sich nicht, obwohl sein Gradient nicht 0 ist. Eine float32-Kopie des Gewichts sammelt solche Aktualisierungen.</translation>
    </message>
    <message>
        <source>A weight was infinity or NaN before this step began. An earlier update produced it, or the model file contained it. Every product with this weight is also not finite.</source>
        <translation>Ein Gewicht war schon vor Beginn dieses Schritts unendlich oder NaN. Eine frühere Aktualisierung hat es erzeugt, oder die Modelldatei enthielt es. Jedes Produkt mit diesem Gewicht ist ebenfalls nicht endlich.</translation>
    </message>
    <message>
        <source>A weight was not finite before the step began.</source>
        <translation>Ein Gewicht war vor Beginn des Schritts nicht endlich.</translation>
    </message>
    <message>
        <source>a word</source>
        <translation>ein Wort</translation>
    </message>
    <message>
        <source>A&amp;ll op calls</source>
        <translation>A&amp;lle Operatoraufrufe</translation>
    </message>
    <message>
        <source>About %1 steps would tell more.</source>
        <translation>Etwa %1 Schritte würden mehr sagen.</translation>
    </message>
    <message>
        <source>about 1 minute</source>
        <translation>etwa 1 Minute</translation>
    </message>
    <message>
        <source>About Binade</source>
        <translation>Über Binade</translation>
    </message>
    <message>
        <source>About the selected entry</source>
        <translation>Zum ausgewählten Eintrag</translation>
    </message>
    <message>
        <source>Above 1.</source>
        <translation>Über 1.</translation>
    </message>
    <message>
        <source>above the scale</source>
        <translation>über der Skala</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>Akkumulieren</translation>
    </message>
    <message>
        <source>Accuracy %1 after %2 steps</source>
        <translation>Genauigkeit %1 nach %2 Schritten</translation>
    </message>
    <message>
        <source>Accuracy %1 after 1 step</source>
        <translation>Genauigkeit %1 nach 1 Schritt</translation>
    </message>
    <message>
        <source>Accuracy %1 on the test data after %2 steps, loss %3.</source>
        <translation>Genauigkeit %1 auf den Testdaten nach %2 Schritten, Loss %3.</translation>
    </message>
    <message>
        <source>Add a format</source>
        <translation>Format hinzufügen</translation>
    </message>
    <message>
        <source>Add a format to the table</source>
        <translation>Der Tabelle ein Format hinzufügen</translation>
    </message>
    <message>
        <source>Add a group</source>
        <translation>Gruppe hinzufügen</translation>
    </message>
    <message>
        <source>Add a loss</source>
        <translation>Loss hinzufügen</translation>
    </message>
    <message>
        <source>Add a row to %1</source>
        <translation>%1 eine Zeile hinzufügen</translation>
    </message>
    <message>
        <source>Add a scaler</source>
        <translation>Skalierer hinzufügen</translation>
    </message>
    <message>
        <source>Add a target</source>
        <translation>Ziel hinzufügen</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien hinzufügen …</translation>
    </message>
    <message>
        <source>Add format, such as e6m9</source>
        <translation>Format hinzufügen, etwa e6m9</translation>
    </message>
    <message>
        <source>Added to the divisor. Optimizers compute in float32, so 1e-8 does not become 0.</source>
        <translation>Wird zum Divisor addiert. Optimierer rechnen in float32, so dass 1e-8 nicht 0 wird.</translation>
    </message>
    <message>
        <source>Adds a rule to the policy for each selected op call, which then computes in this format from the next step. Op calls that take the format of their arguments may change with it. Undo removes the rules; it does not undo training.</source>
        <translation>Fügt der Richtlinie für jeden ausgewählten Operatoraufruf eine Regel hinzu; er rechnet dann ab dem nächsten Schritt in diesem Format. Operatoraufrufe, die das Format ihrer Argumente übernehmen, können sich mit ändern. Rückgängig entfernt die Regeln; das Training macht es nicht rückgängig.</translation>
    </message>
    <message>
        <source>Adds a rule to the policy, as one undo step.</source>
        <translation>Fügt der Richtlinie eine Regel hinzu, als ein Rückgängig-Schritt.</translation>
    </message>
    <message>
        <source>Adds to the policy and sets the loss scale, from the next step, as one undo step.</source>
        <translation>Ergänzt die Richtlinie und setzt die Loss-Skalierung ab dem nächsten Schritt, als ein Rückgängig-Schritt.</translation>
    </message>
    <message>
        <source>Adds to the policy from the next step, as one undo step.</source>
        <translation>Ergänzt die Richtlinie ab dem nächsten Schritt, als ein Rückgängig-Schritt.</translation>
    </message>
    <message>
        <source>administrators only</source>
        <translation>nur für Administratoren</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>After a crash they could not be recovered. Save them.</source>
        <translation>Nach einem Absturz ließen sie sich nicht wiederherstellen. Bitte speichern.</translation>
    </message>
    <message>
        <source>after rounding: bounds</source>
        <translation>nach der Rundung: Schranken</translation>
    </message>
    <message>
        <source>After step %1</source>
        <translation>Nach Schritt %1</translation>
    </message>
    <message>
        <source>After: %1
Before: %2</source>
        <translation>Nachher: %1
Vorher: %2</translation>
    </message>
    <message>
        <source>Afterwards</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>Against %1</source>
        <translation>Gegenüber %1</translation>
    </message>
    <message>
        <source>alike</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>alle %1</translation>
    </message>
    <message>
        <source>All %1 op calls</source>
        <translation>Alle %1 Operatoraufrufe</translation>
    </message>
    <message>
        <source>All %1 steps made; now the test data and the cost of a step</source>
        <translation>Alle %1 Schritte gemacht; jetzt die Testdaten und der Aufwand eines Schritts</translation>
    </message>
    <message>
        <source>All %1 steps were finite.</source>
        <translation>Alle %1 Schritte waren endlich.</translation>
    </message>
    <message>
        <source>All facts of the figure</source>
        <translation>Alle Angaben der Abbildung</translation>
    </message>
    <message>
        <source>all finite</source>
        <translation>alle endlich</translation>
    </message>
    <message>
        <source>All gradients are 0.</source>
        <translation>Alle Gradienten sind 0.</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>Alle Lektionen</translation>
    </message>
    <message>
        <source>all op calls</source>
        <translation>alle Operatoraufrufe</translation>
    </message>
    <message>
        <source>All outputs of this op call are 0. The op calls after it receive no information from those before it, and no gradient flows back through it.</source>
        <translation>Alle Ausgaben dieses Operatoraufrufs sind 0. Die Operatoraufrufe danach erhalten keine Information von denen davor, und kein Gradient fließt durch ihn zurück.</translation>
    </message>
    <message>
        <source>All parameters use the settings above.</source>
        <translation>Alle Parameter verwenden die obigen Einstellungen.</translation>
    </message>
    <message>
        <source>all propagate it</source>
        <translation>alle reichen es weiter</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>All settings</source>
        <translation>Alle Einstellungen</translation>
    </message>
    <message>
        <source>All supported files (*.pt *.ts *.pth *.json *.binade *.md);;TorchScript models (*.pt *.ts *.pth);;Policies (*.policy.json *.json);;Run descriptions (*.run.json *.json);;Runs (*.binade);;Lessons (*.md);;All files (*)</source>
        <translation>Alle unterstützten Dateien (*.pt *.ts *.pth *.json *.binade *.md);;TorchScript-Modelle (*.pt *.ts *.pth);;Richtlinien (*.policy.json *.json);;Laufbeschreibungen (*.run.json *.json);;Läufe (*.binade);;Lektionen (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>All values are 0</source>
        <translation>Alle Werte sind 0</translation>
    </message>
    <message>
        <source>all values are 0</source>
        <translation>alle Werte sind 0</translation>
    </message>
    <message>
        <source>All values are finite, but precision is lost.</source>
        <translation>Alle Werte sind endlich, aber Genauigkeit geht verloren.</translation>
    </message>
    <message>
        <source>All views show the newest step again, and follow it</source>
        <translation>Alle Ansichten zeigen wieder den neuesten Schritt und folgen ihm</translation>
    </message>
    <message>
        <source>all zero</source>
        <translation>alle null</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>Also &amp;arguments</source>
        <translation>Auch &amp;Argumente</translation>
    </message>
    <message>
        <source>Also &amp;arguments, before their cast</source>
        <translation>Auch &amp;Argumente, vor ihrem Cast</translation>
    </message>
    <message>
        <source>Also &amp;parameters</source>
        <translation>Auch &amp;Parameter</translation>
    </message>
    <message>
        <source>Also &amp;parameters, and their gradients ÷ scale</source>
        <translation>Auch &amp;Parameter und ihre Gradienten ÷ Skalierung</translation>
    </message>
    <message>
        <source>also a first cause</source>
        <translation>ebenfalls eine erste Ursache</translation>
    </message>
    <message>
        <source>also not finite</source>
        <translation>ebenfalls nicht endlich</translation>
    </message>
    <message>
        <source>Also observe arguments</source>
        <translation>Auch Argumente beobachten</translation>
    </message>
    <message>
        <source>Also observe parameters</source>
        <translation>Auch Parameter beobachten</translation>
    </message>
    <message>
        <source>Also smallest magnitudes, zeros, norms, and the binades of values.</source>
        <translation>Auch kleinste Beträge, Nullen, Normen und die Binaden der Werte.</translation>
    </message>
    <message>
        <source>Alt+Down</source>
        <translation>Alt+Ab</translation>
    </message>
    <message>
        <source>Alt+Left, Alt+Right</source>
        <translation>Alt+Links, Alt+Rechts</translation>
    </message>
    <message>
        <source>AMSGrad</source>
        <translation>AMSGrad</translation>
    </message>
    <message>
        <source>An argument</source>
        <translation>Ein Argument</translation>
    </message>
    <message>
        <source>An array or column of the files. Separate several with commas; they are concatenated.</source>
        <translation>Ein Array oder eine Spalte der Dateien. Mehrere durch Kommas trennen; sie werden aneinandergehängt.</translation>
    </message>
    <message>
        <source>An empty text removes the note.</source>
        <translation>Ein leerer Text entfernt die Notiz.</translation>
    </message>
    <message>
        <source>An ended run has no next step.</source>
        <translation>Ein beendeter Lauf hat keinen nächsten Schritt.</translation>
    </message>
    <message>
        <source>An engine that cannot be &amp;confined</source>
        <translation>Eine Engine ohne A&amp;bschottung</translation>
    </message>
    <message>
        <source>An experiment is in progress.</source>
        <translation>Ein Experiment ist im Gange.</translation>
    </message>
    <message>
        <source>An explanation from first principles</source>
        <translation>Eine Erklärung von Grund auf</translation>
    </message>
    <message>
        <source>an inner argument</source>
        <translation>ein inneres Argument</translation>
    </message>
    <message>
        <source>an op call</source>
        <translation>ein Operatoraufruf</translation>
    </message>
    <message>
        <source>An op call with no trained parameter before it receives no gradient. Otherwise, the gradient appears after the next observed step.</source>
        <translation>Ein Operatoraufruf ohne trainierten Parameter davor erhält keinen Gradienten. Sonst erscheint der Gradient nach dem nächsten beobachteten Schritt.</translation>
    </message>
    <message>
        <source>An optimizer updates a running average by a small share of the new value. In %1 this share is often less than half a unit in the last place of the average. It is then rounded away, and the average no longer changes.</source>
        <translation>Ein Optimierer aktualisiert ein laufendes Mittel um einen kleinen Anteil des neuen Werts. In %1 beträgt dieser Anteil oft weniger als eine halbe Einheit der letzten Stelle des Mittels. Er wird dann weggerundet, und das Mittel ändert sich nicht mehr.</translation>
    </message>
    <message>
        <source>an overflow of %1 vanishes</source>
        <translation>ein Überlauf von %1 verschwindet</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message numerus="yes">
        <source>and %n more; binade-engine policy check lists all</source>
        <translation>
            <numerusform>und %n weitere; binade-engine policy check listet alle</numerusform>
            <numerusform>und %n weitere; binade-engine policy check listet alle</numerusform>
        </translation>
    </message>
    <message>
        <source>Another computer may answer in place of %1. Ask who runs it whether its key was changed. Only then remove the old key with: ssh-keygen -R %1</source>
        <translation>Vielleicht antwortet ein anderer Rechner statt %1. Fragen Sie seinen Verwalter, ob der Schlüssel geändert wurde. Entfernen Sie den alten erst dann mit: ssh-keygen -R %1</translation>
    </message>
    <message>
        <source>Another format</source>
        <translation>Anderes Format</translation>
    </message>
    <message>
        <source>Another format…</source>
        <translation>Anderes Format …</translation>
    </message>
    <message>
        <source>Another model was opened while %1 was read, so it was not imported.</source>
        <translation>Während %1 gelesen wurde, wurde ein anderes Modell geöffnet; daher wurde es nicht importiert.</translation>
    </message>
    <message>
        <source>Another policy</source>
        <translation>Andere Richtlinie</translation>
    </message>
    <message>
        <source>Another tool is tracing this process</source>
        <translation>Ein anderes Werkzeug zeichnet diesen Prozess auf</translation>
    </message>
    <message>
        <source>Another tool is using the GPU&apos;s counters</source>
        <translation>Ein anderes Werkzeug verwendet die Zähler der GPU</translation>
    </message>
    <message>
        <source>another version</source>
        <translation>andere Version</translation>
    </message>
    <message>
        <source>another window</source>
        <translation>ein anderes Fenster</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answer the exercise above first. Then the lesson goes on here.</source>
        <translation>Zuerst die Aufgabe oben beantworten. Dann geht die Lektion hier weiter.</translation>
    </message>
    <message>
        <source>Answer the exercise of the lesson first. Then the figure appears here.</source>
        <translation>Lösen Sie zuerst die Aufgabe der Lektion. Dann erscheint die Abbildung hier.</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Apply fix</source>
        <translation>Korrektur anwenden</translation>
    </message>
    <message>
        <source>Apply the edits</source>
        <translation>Änderungen anwenden</translation>
    </message>
    <message>
        <source>Argument</source>
        <translation>Argument</translation>
    </message>
    <message>
        <source>Argument %1</source>
        <translation>Argument %1</translation>
    </message>
    <message>
        <source>argument type %1</source>
        <translation>Argumenttyp %1</translation>
    </message>
    <message>
        <source>Arguments are not observed.</source>
        <translation>Argumente werden nicht beobachtet.</translation>
    </message>
    <message>
        <source>Arguments are only checked for finiteness.</source>
        <translation>Argumente werden nur auf Endlichkeit geprüft.</translation>
    </message>
    <message>
        <source>Arguments of forward</source>
        <translation>Argumente von forward</translation>
    </message>
    <message>
        <source>Arguments that already have its format are not cast; the op calls that produced them show their values. A cast argument appears after the next observed step.</source>
        <translation>Argumente, die schon dieses Format haben, werden nicht umgewandelt; die Operatoraufrufe, die sie erzeugt haben, zeigen ihre Werte. Ein umgewandeltes Argument erscheint nach dem nächsten beobachteten Schritt.</translation>
    </message>
    <message>
        <source>arguments, before their cast</source>
        <translation>Argumente, vor ihrem Cast</translation>
    </message>
    <message>
        <source>Arrangement: %1</source>
        <translation>Anordnung: %1</translation>
    </message>
    <message>
        <source>arrays and tables</source>
        <translation>Arrays und Tabellen</translation>
    </message>
    <message>
        <source>as opened or started</source>
        <translation>wie geöffnet oder gestartet</translation>
    </message>
    <message>
        <source>As PyTorch defines them. None: gradients are computed, but parameters do not change.</source>
        <translation>Wie von PyTorch definiert. None: Gradienten werden berechnet, aber Parameter ändern sich nicht.</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>as the optimizer receives it, before clipping</source>
        <translation>wie sie der Optimierer erhält, vor dem Begrenzen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Asking %1 …</source>
        <translation>%1 wird gefragt …</translation>
    </message>
    <message>
        <source>Asking for trainings …</source>
        <translation>Trainings werden erfragt …</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>At %1.</source>
        <translation>Bei %1.</translation>
    </message>
    <message>
        <source>at edits only</source>
        <translation>nur bei Änderungen</translation>
    </message>
    <message>
        <source>at its interval</source>
        <translation>in seinem Intervall</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>am Ende</translation>
    </message>
    <message>
        <source>at the first cause</source>
        <translation>bei der ersten Ursache</translation>
    </message>
    <message>
        <source>at the next start</source>
        <translation>beim nächsten Start</translation>
    </message>
    <message>
        <source>Attach to a running training</source>
        <translation>Mit einem laufenden Training verbinden</translation>
    </message>
    <message>
        <source>Attached to %1 as a watcher.</source>
        <translation>Mit %1 als Zuschauer verbunden.</translation>
    </message>
    <message>
        <source>Attached to %1 as its editor.</source>
        <translation>Mit %1 als Bearbeiter verbunden.</translation>
    </message>
    <message>
        <source>Attached training</source>
        <translation>Verbundenes Training</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
    <message>
        <source>Back-off</source>
        <translation>Rücknahme</translation>
    </message>
    <message>
        <source>back-off</source>
        <translation>Rücknahme</translation>
    </message>
    <message>
        <source>Back-off after</source>
        <translation>Rücknahme nach</translation>
    </message>
    <message>
        <source>Back-off factor</source>
        <translation>Rücknahmefaktor</translation>
    </message>
    <message>
        <source>Back-off factor. Must be between 0 and 1.</source>
        <translation>Rücknahmefaktor. Muss zwischen 0 und 1 liegen.</translation>
    </message>
    <message>
        <source>Back-off, %1</source>
        <translation>Rücknahme, %1</translation>
    </message>
    <message>
        <source>Backs off ×</source>
        <translation>Nimmt zurück ×</translation>
    </message>
    <message>
        <source>backs off × %1 after %2 overflows in a row</source>
        <translation>fällt × %1 nach %2 Überläufen in Folge</translation>
    </message>
    <message>
        <source>backs off × %1 after each overflow</source>
        <translation>fällt × %1 nach jedem Überlauf</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>Banned by the base list</source>
        <translation>Von der Basisliste verboten</translation>
    </message>
    <message>
        <source>base %1, %2 changes</source>
        <translation>Basis %1, %2 Änderungen</translation>
    </message>
    <message>
        <source>base %1, 1 change</source>
        <translation>Basis %1, 1 Änderung</translation>
    </message>
    <message>
        <source>Base list</source>
        <translation>Basisliste</translation>
    </message>
    <message>
        <source>Base list %1</source>
        <translation>Basisliste %1</translation>
    </message>
    <message>
        <source>base list %1</source>
        <translation>Basisliste %1</translation>
    </message>
    <message>
        <source>Base list: %1.</source>
        <translation>Basisliste: %1.</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Batch norms on ranks</source>
        <translation>Batch-Normen auf Rängen</translation>
    </message>
    <message>
        <source>Batch preview</source>
        <translation>Batch-Vorschau</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>Batches</translation>
    </message>
    <message>
        <source>Batches from</source>
        <translation>Batches von</translation>
    </message>
    <message>
        <source>batches per step</source>
        <translation>Batches je Schritt</translation>
    </message>
    <message>
        <source>Became 0</source>
        <translation>Wurden 0</translation>
    </message>
    <message>
        <source>became 0</source>
        <translation>wurde 0</translation>
    </message>
    <message>
        <source>became infinite in a cast</source>
        <translation>wurde in einem Cast unendlich</translation>
    </message>
    <message>
        <source>Becomes 0</source>
        <translation>Wird 0</translation>
    </message>
    <message>
        <source>becomes 0</source>
        <translation>wird 0</translation>
    </message>
    <message>
        <source>becomes 0 %1</source>
        <translation>wird 0 %1</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>before an edit</source>
        <translation>vor einer Änderung</translation>
    </message>
    <message>
        <source>Before its newest edit: %1.</source>
        <translation>Vor ihrer neuesten Änderung: %1.</translation>
    </message>
    <message>
        <source>before rounding</source>
        <translation>vor der Rundung</translation>
    </message>
    <message>
        <source>Before the edit at step %1</source>
        <translation>Vor der Änderung bei Schritt %1</translation>
    </message>
    <message>
        <source>Before the edit at step %1 · </source>
        <translation>Vor der Änderung bei Schritt %1 · </translation>
    </message>
    <message>
        <source>Before the edit at step %1: %2 has run differently since.</source>
        <translation>Vor der Änderung bei Schritt %1: %2 lief seither anders.</translation>
    </message>
    <message>
        <source>Before the edit: %1, %2, %3</source>
        <translation>Vor der Änderung: %1, %2, %3</translation>
    </message>
    <message>
        <source>before the first step</source>
        <translation>vor dem ersten Schritt</translation>
    </message>
    <message>
        <source>before the optimizer&apos;s step</source>
        <translation>vor dem Schritt des Optimierers</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>behaviour</source>
        <translation>Verhalten</translation>
    </message>
    <message>
        <source>behaviour %1</source>
        <translation>Verhalten %1</translation>
    </message>
    <message>
        <source>Behind the fastest</source>
        <translation>Hinter dem schnellsten</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>Between 0 and 1.</source>
        <translation>Zwischen 0 und 1.</translation>
    </message>
    <message>
        <source>Between the gradients of both runs: 1 is the same direction</source>
        <translation>Zwischen den Gradienten beider Läufe: 1 ist dieselbe Richtung</translation>
    </message>
    <message>
        <source>beyond a limit</source>
        <translation>jenseits einer Grenze</translation>
    </message>
    <message>
        <source>biased rounding</source>
        <translation>verzerrtes Runden</translation>
    </message>
    <message>
        <source>Binade</source>
        <translation>Binade</translation>
    </message>
    <message>
        <source>Binade ended without saving %1.</source>
        <translation>Binade endete, ohne %1 zu speichern.</translation>
    </message>
    <message>
        <source>Binade needs LibTorch %1 to open and train models. The download is %2, and LibTorch takes %3 in %4.

To share one LibTorch with all users of this computer, run in a terminal:
sudo binade-engine setup

Without LibTorch, you can open run files, policies and lessons.</source>
        <translation>Binade braucht LibTorch %1, um Modelle zu öffnen und zu trainieren. Der Download umfasst %2; LibTorch belegt %3 in %4.

Damit sich alle Benutzer dieses Computers ein LibTorch teilen, in einem Terminal ausführen:
sudo binade-engine setup

Ohne LibTorch lassen sich Laufdateien, Richtlinien und Lektionen öffnen.</translation>
    </message>
    <message>
        <source>Binade needs LibTorch to open and train models.</source>
        <translation>Binade braucht LibTorch, um Modelle zu öffnen und zu trainieren.</translation>
    </message>
    <message>
        <source>binade-engine is not on the PATH of %1. Install it there, or give its path in Command: /opt/binade/bin/binade-engine serve</source>
        <translation>binade-engine ist nicht im PATH von %1. Installieren Sie es dort, oder geben Sie seinen Pfad unter Befehl an: /opt/binade/bin/binade-engine serve</translation>
    </message>
    <message>
        <source>binade-engine probe is running.</source>
        <translation>binade-engine probe läuft.</translation>
    </message>
    <message>
        <source>binade-engine setup ended without a result.</source>
        <translation>binade-engine setup endete ohne Ergebnis.</translation>
    </message>
    <message>
        <source>Bit %1 of %2 is %3. %4</source>
        <translation>Bit %1 von %2 ist %3. %4</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>Bits</translation>
    </message>
    <message>
        <source>Bits in each format</source>
        <translation>Bits in jedem Format</translation>
    </message>
    <message>
        <source>Bits of %1</source>
        <translation>Bits von %1</translation>
    </message>
    <message>
        <source>Bits per value</source>
        <translation>Bits pro Wert</translation>
    </message>
    <message>
        <source>Block %1 of %2, %3: %4 values, scale %5, signal to noise %6, %7 became 0</source>
        <translation>Block %1 von %2, %3: %4 Werte, Skala %5, Signal-Rausch-Abstand %6, %7 wurden 0</translation>
    </message>
    <message>
        <source>Block scales</source>
        <translation>Blockskalen</translation>
    </message>
    <message>
        <source>Blocks by scale: %1.</source>
        <translation>Blöcke nach Skala: %1.</translation>
    </message>
    <message>
        <source>Blocks: %1; Enter in the table shows those of another format.</source>
        <translation>Blöcke: %1; die Eingabetaste in der Tabelle zeigt die eines anderen Formats.</translation>
    </message>
    <message>
        <source>Both policies are the same, so there is nothing to compare.</source>
        <translation>Beide Richtlinien sind gleich; es gibt nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>Both policies in force are alike.</source>
        <translation>Beide geltenden Richtlinien sind gleich.</translation>
    </message>
    <message>
        <source>Both treat every op call alike.</source>
        <translation>Beide behandeln jeden Operatoraufruf gleich.</translation>
    </message>
    <message>
        <source>Bounds derived from the binades. Level What-if gives the exact count.</source>
        <translation>Aus den Binaden abgeleitete Schranken. Stufe What-if liefert die genaue Anzahl.</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>But %1 has no finite value: see Op calls.</source>
        <translation>Aber %1 hat keinen endlichen Wert: siehe Operatoraufrufe.</translation>
    </message>
    <message>
        <source>bytes that they write</source>
        <translation>von ihnen geschriebene Bytes</translation>
    </message>
    <message>
        <source>Bytes written in a step</source>
        <translation>Geschriebene Bytes je Schritt</translation>
    </message>
    <message>
        <source>C&amp;hoose…</source>
        <translation>&amp;Wählen …</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>Ca&amp;ncel</source>
        <translation>Ab&amp;brechen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the search, or wait for its end.</source>
        <translation>Die Suche abbrechen oder ihr Ende abwarten.</translation>
    </message>
    <message>
        <source>Cancel the Try, or wait for its end.</source>
        <translation>Den Versuch abbrechen oder sein Ende abwarten.</translation>
    </message>
    <message>
        <source>Cancellation errors (subtraction of nearly equal numbers) are not checked. Compare one step with float32 to find them.</source>
        <translation>Auslöschungsfehler (Subtraktion fast gleicher Zahlen) werden nicht geprüft. Einen Schritt mit float32 vergleichen, um sie zu finden.</translation>
    </message>
    <message>
        <source>Cannot be expressed</source>
        <translation>Nicht ausdrückbar</translation>
    </message>
    <message>
        <source>cannot be sampled</source>
        <translation>nicht abtastbar</translation>
    </message>
    <message>
        <source>cast</source>
        <translation>Cast</translation>
    </message>
    <message>
        <source>Cast and place</source>
        <translation>Cast und Ort</translation>
    </message>
    <message>
        <source>Cast ledger</source>
        <translation>Cast-Bilanz</translation>
    </message>
    <message>
        <source>cast of %1: %2; %3 a step write %4 in %5</source>
        <translation>Cast von %1: %2; %3 je Schritt schreiben %4 in %5</translation>
    </message>
    <message>
        <source>Cast to</source>
        <translation>Cast auf</translation>
    </message>
    <message>
        <source>cast to %1</source>
        <translation>Cast auf %1</translation>
    </message>
    <message>
        <source>Casts</source>
        <translation>Casts</translation>
    </message>
    <message>
        <source>casts</source>
        <translation>Casts</translation>
    </message>
    <message>
        <source>Casts in a step</source>
        <translation>Casts je Schritt</translation>
    </message>
    <message>
        <source>Casts in a step under this policy</source>
        <translation>Casts in einem Schritt unter dieser Richtlinie</translation>
    </message>
    <message>
        <source>casts in a step&apos;s forwards</source>
        <translation>Casts in den Vorwärtsläufen eines Schritts</translation>
    </message>
    <message>
        <source>Casts per step</source>
        <translation>Casts je Schritt</translation>
    </message>
    <message>
        <source>casts, by the cast ledger</source>
        <translation>Casts laut Cast-Bilanz</translation>
    </message>
    <message>
        <source>Ceiling</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>ceiling</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>ceiling %1</source>
        <translation>Obergrenze %1</translation>
    </message>
    <message>
        <source>Centred</source>
        <translation>Zentriert</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Kette</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change a format, then press Ctrl+T: the edit is tried beside the run before you keep it.</source>
        <translation>Ein Format ändern, dann Strg+T drücken: Die Änderung wird neben dem Lauf versucht, bevor sie bleibt.</translation>
    </message>
    <message>
        <source>Change every</source>
        <translation>Ändern alle</translation>
    </message>
    <message>
        <source>Change of %1</source>
        <translation>Änderung von %1</translation>
    </message>
    <message>
        <source>Change of %1: %2</source>
        <translation>Änderung von %1: %2</translation>
    </message>
    <message>
        <source>Change of the bytes that a step&apos;s casts write, and of its forward time, with that edit. Below 0 is a saving.
Measured on one forward. No time on a GPU or where formats are emulated; – was not measured.</source>
        <translation>Änderung der von den Casts eines Schritts geschriebenen Bytes und seiner Vorwärtszeit mit dieser Änderung. Unter 0 ist eine Ersparnis.
An einem Vorwärtslauf gemessen. Keine Zeit auf einer GPU oder bei emulierten Formaten; – wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>Change of the loss text</source>
        <translation>Änderung des Loss-Textes</translation>
    </message>
    <message>
        <source>Change of the policy</source>
        <translation>Änderung der Richtlinie</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Changed at step %1.</source>
        <translation>Geändert bei Schritt %1.</translation>
    </message>
    <message>
        <source>Changed calls</source>
        <translation>Geänderte Aufrufe</translation>
    </message>
    <message>
        <source>Changed. The changes apply when the run is restarted.</source>
        <translation>Geändert. Die Änderungen gelten, wenn der Lauf neu gestartet wird.</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <source>Changes against the base list</source>
        <translation>Änderungen gegenüber der Basisliste</translation>
    </message>
    <message>
        <source>Charts, op calls and gradients of a run</source>
        <translation>Diagramme, Operatoraufrufe und Gradienten eines Laufs</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Check the command given with --connect. Only the engine may write to its standard output.</source>
        <translation>Den mit --connect angegebenen Befehl prüfen. Nur die Engine darf in seine Standardausgabe schreiben.</translation>
    </message>
    <message>
        <source>Check the name of the file.</source>
        <translation>Den Namen der Datei prüfen.</translation>
    </message>
    <message>
        <source>Check the name. ssh takes names of its configuration file, ~/.ssh/config, too.</source>
        <translation>Prüfen Sie den Namen. ssh nimmt auch Namen aus seiner Konfigurationsdatei ~/.ssh/config.</translation>
    </message>
    <message>
        <source>Checked: the search may give op calls this format. Unchecked: it gives it to none, and op calls that have it already may keep it. If no format is checked, the search uses the low format of the base list and float32.</source>
        <translation>Angekreuzt: Die Suche darf Operatoraufrufen dieses Format geben. Nicht angekreuzt: Sie gibt es keinem, und Operatoraufrufe, die es schon haben, dürfen es behalten. Ist kein Format angekreuzt, nimmt die Suche das niedrige Format der Basisliste und float32.</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>Checkpoint alle</translation>
    </message>
    <message>
        <source>Checkpoint folder</source>
        <translation>Checkpoint-Ordner</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors);;All files (*)</source>
        <translation>Checkpoints (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Checkpoints are saved at the set interval, before each edit of the policy, and at the end of the run.</source>
        <translation>Checkpoints werden im eingestellten Intervall, vor jeder Änderung der Richtlinie und am Ende des Laufs gespeichert.</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>Choose a folder that can be written and has free space.</source>
        <translation>Einen beschreibbaren Ordner mit freiem Platz wählen.</translation>
    </message>
    <message>
        <source>Choose a policy</source>
        <translation>Richtlinie wählen</translation>
    </message>
    <message>
        <source>Choose an event on the left. Its page names the cause, the path to the loss, and a fix.</source>
        <translation>Links ein Ereignis wählen. Seine Seite nennt die Ursache, den Weg zum Loss und eine Korrektur.</translation>
    </message>
    <message>
        <source>Choose another folder, or copy the text instead.</source>
        <translation>Einen anderen Ordner wählen oder stattdessen den Text kopieren.</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Choose folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose one from the list. Its figures appear here.</source>
        <translation>Eine aus der Liste wählen. Ihre Abbildungen erscheinen hier.</translation>
    </message>
    <message>
        <source>Choose the command again.</source>
        <translation>Den Befehl erneut wählen.</translation>
    </message>
    <message>
        <source>Choose two different policies.</source>
        <translation>Zwei verschiedene Richtlinien wählen.</translation>
    </message>
    <message>
        <source>Choose what to compare</source>
        <translation>Wählen, was verglichen wird</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
    <message>
        <source>Chooses the figure that colours the boxes. Format shows where casts happen. Doublings left shows how often the largest value can double before it overflows. Overflows counts them. Time and Tensor cores active need a run that is profiled.</source>
        <translation>Wählt die Größe, nach der die Kästen gefärbt sind. „Format“ zeigt, wo umgewandelt wird. „Verdopplungen übrig“ zeigt, wie oft sich der größte Wert verdoppeln kann, bevor er überläuft. „Läuft über“ zählt die Überläufe. „Zeit“ und „Aktive Tensorkerne“ brauchen einen Lauf, der gemessen wird.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message numerus="yes">
        <source>classes: %n</source>
        <translation>
            <numerusform>Klassen: %n</numerusform>
            <numerusform>Klassen: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>clean steps</source>
        <translation>fehlerfreie Schritte</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear list</source>
        <translation>Liste leeren</translation>
    </message>
    <message>
        <source>Click a bit to toggle it. + and − step to the next and previous number.</source>
        <translation>Ein Bit anklicken, um es umzuschalten. + und − gehen zur nächsten und zur vorigen Zahl.</translation>
    </message>
    <message>
        <source>Click a column title to sort. A second click reverses the order. A third click restores the order of the forward pass.</source>
        <translation>Zum Sortieren einen Spaltentitel anklicken. Ein zweiter Klick kehrt die Reihenfolge um. Ein dritter stellt die Reihenfolge des Vorwärtslaufs wieder her.</translation>
    </message>
    <message>
        <source>click a line to select its op call</source>
        <translation>eine Zeile anklicken, um ihren Operatoraufruf auszuwählen</translation>
    </message>
    <message>
        <source>Click an op call to see its gradient.</source>
        <translation>Klicken Sie auf einen Op-Aufruf, um seinen Gradienten zu sehen.</translation>
    </message>
    <message>
        <source>Click an op call to see its gradients. F2 changes its format while the run goes on.</source>
        <translation>Einen Operatoraufruf anklicken, um seine Gradienten zu sehen. F2 ändert sein Format, während der Lauf weitergeht.</translation>
    </message>
    <message>
        <source>Click an op call to see its tensor&apos;s binades, step by step.</source>
        <translation>Einen Operatoraufruf anklicken, um die Binaden seines Tensors Schritt für Schritt zu sehen.</translation>
    </message>
    <message>
        <source>Click to hide this series</source>
        <translation>Klicken, um diese Reihe auszublenden</translation>
    </message>
    <message>
        <source>Click to show this series</source>
        <translation>Klicken, um diese Reihe einzublenden</translation>
    </message>
    <message>
        <source>Click to undo all edits.</source>
        <translation>Klicken, um alle Änderungen rückgängig zu machen.</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Norm begrenzen</translation>
    </message>
    <message>
        <source>Clip values</source>
        <translation>Werte begrenzen</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close (reopen from the View menu)</source>
        <translation>Schließen (über das Menü Ansicht wieder öffnen)</translation>
    </message>
    <message>
        <source>Close the figures of what an edit would save</source>
        <translation>Die Zahlen zur möglichen Ersparnis einer Änderung schließen</translation>
    </message>
    <message>
        <source>Close this hint</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Closing this window does not stop the training.</source>
        <translation>Das Schließen dieses Fensters hält das Training nicht an.</translation>
    </message>
    <message>
        <source>Co&amp;mmand palette…</source>
        <translation>&amp;Befehlspalette …</translation>
    </message>
    <message>
        <source>coarse optimizer state</source>
        <translation>grober Optimiererzustand</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Collapse all modules</source>
        <translation>Alle Module einklappen</translation>
    </message>
    <message>
        <source>Colour of the graph</source>
        <translation>Farbe des Graphen</translation>
    </message>
    <message>
        <source>Columns and grouping</source>
        <translation>Spalten und Gruppierung</translation>
    </message>
    <message>
        <source>Columns, and rows grouped by module</source>
        <translation>Spalten, und nach Modulen gruppierte Zeilen</translation>
    </message>
    <message>
        <source>Com&amp;pare with run…</source>
        <translation>Mit Lauf &amp;vergleichen …</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>Kommagetrennte Werte (*.csv)</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare again</source>
        <translation>Erneut vergleichen</translation>
    </message>
    <message>
        <source>Compare one step with float32</source>
        <translation>Einen Schritt mit float32 vergleichen</translation>
    </message>
    <message>
        <source>Compare with a .binade file, which a training writes.</source>
        <translation>Mit einer .binade-Datei vergleichen, die ein Training schreibt.</translation>
    </message>
    <message>
        <source>Compare with another format, such as e5m6</source>
        <translation>Mit einem anderen Format vergleichen, etwa e5m6</translation>
    </message>
    <message>
        <source>Compare with run…</source>
        <translation>Mit Lauf vergleichen …</translation>
    </message>
    <message>
        <source>Compared with the op in float32 on the same arguments</source>
        <translation>Verglichen mit dem Operator in float32 auf denselben Argumenten</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft …</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>Abgeschlossen</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
    <message>
        <source>Computed in float32 and rounded as the format rounds. The time of a step does not indicate the format&apos;s speed.</source>
        <translation>In float32 gerechnet und gerundet, wie das Format rundet. Die Zeit eines Schritts sagt nichts über das Tempo des Formats.</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connect to another computer&apos;s engine</source>
        <translation>Mit der Engine eines anderen Rechners verbinden</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindung wird aufgebaut</translation>
    </message>
    <message>
        <source>Connecting, attempt %1. What was received stays, and so do your edits.</source>
        <translation>Verbindungsversuch %1. Das Empfangene bleibt, Ihre Änderungen auch.</translation>
    </message>
    <message>
        <source>Connects to an engine on a computer with a GPU</source>
        <translation>Verbindet mit einer Engine auf einem Rechner mit GPU</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden …</translation>
    </message>
    <message>
        <source>consecutive overflows</source>
        <translation>aufeinanderfolgende Überläufe</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>konstant</translation>
    </message>
    <message>
        <source>Contents of the part</source>
        <translation>Inhalt des Teils</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortfahren</translation>
    </message>
    <message>
        <source>Continue: %1</source>
        <translation>Fortfahren: %1</translation>
    </message>
    <message>
        <source>Continues this run from the checkpoint. The charts discard all later steps.</source>
        <translation>Setzt diesen Lauf vom Checkpoint aus fort. Die Diagramme verwerfen alle späteren Schritte.</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copies all changes, one line each</source>
        <translation>Kopiert alle Änderungen, je eine Zeile</translation>
    </message>
    <message>
        <source>Copies made in a step</source>
        <translation>Kopien je Schritt</translation>
    </message>
    <message>
        <source>Copies that the cast cache already held</source>
        <translation>Kopien, die der Cast-Cache schon enthielt</translation>
    </message>
    <message>
        <source>Copies the message with the versions and the newest lines of the log, for a report</source>
        <translation>Kopiert die Meldung mit den Versionen und den neuesten Protokollzeilen, für eine Fehlermeldung</translation>
    </message>
    <message>
        <source>Copies the whole page, for example for a report</source>
        <translation>Kopiert die ganze Seite, etwa für eine Fehlermeldung</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy %1</source>
        <translation>%1 kopieren</translation>
    </message>
    <message>
        <source>Copy all as CSV</source>
        <translation>Alle als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy all digits</source>
        <translation>Alle Stellen kopieren</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy as rules of a policy</source>
        <translation>Als Regeln einer Richtlinie kopieren</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>Als Text kopieren</translation>
    </message>
    <message>
        <source>Copy bits</source>
        <translation>Bits kopieren</translation>
    </message>
    <message>
        <source>Copy bits as hexadecimal</source>
        <translation>Bits hexadezimal kopieren</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Copy image and values</source>
        <translation>Bild und Werte kopieren</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Copy numbers as text</source>
        <translation>Zahlen als Text kopieren</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy the files of data into the folder too? Without them, the event can be replayed only where they are.</source>
        <translation>Auch die Datendateien in den Ordner kopieren? Ohne sie lässt sich das Ereignis nur dort wiederholen, wo sie liegen.</translation>
    </message>
    <message>
        <source>Copy the roundings</source>
        <translation>Die Rundungen kopieren</translation>
    </message>
    <message>
        <source>Copy the text and the table</source>
        <translation>Text und Tabelle kopieren</translation>
    </message>
    <message>
        <source>Copying the run file</source>
        <translation>Laufdatei wird kopiert</translation>
    </message>
    <message>
        <source>Copying: %1 % of %2</source>
        <translation>Kopieren: %1 % von %2</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Cost against loss gap</source>
        <translation>Kosten gegen Loss-Abstand</translation>
    </message>
    <message>
        <source>Counted before the newest edit. The next count shows the casts that remain.</source>
        <translation>Vor der neuesten Änderung gezählt. Die nächste Zählung zeigt die verbleibenden Casts.</translation>
    </message>
    <message>
        <source>COUNTERS</source>
        <translation>ZÄHLER</translation>
    </message>
    <message>
        <source>Counters of this GPU</source>
        <translation>Zähler dieser GPU</translation>
    </message>
    <message>
        <source>counts as equal</source>
        <translation>gilt als gleich</translation>
    </message>
    <message>
        <source>CPU CLOCK</source>
        <translation>CPU-UHR</translation>
    </message>
    <message>
        <source>CSV (a folder of tables)</source>
        <translation>CSV (ein Ordner mit Tabellen)</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>CUPTI 13</source>
        <translation>CUPTI 13</translation>
    </message>
    <message>
        <source>CUPTI fits the driver</source>
        <translation>CUPTI passt zum Treiber</translation>
    </message>
    <message>
        <source>Current loss scale</source>
        <translation>Aktuelle Loss-Skalierung</translation>
    </message>
    <message>
        <source>Damaged parts of the run file are left out. The report names them at its top.</source>
        <translation>Beschädigte Teile der Laufdatei werden ausgelassen. Der Bericht nennt sie am Anfang.</translation>
    </message>
    <message>
        <source>Dampening</source>
        <translation>Dämpfung</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Data (*.npy *.npz *.csv *.safetensors *.pt *.pth *.bin *.ckpt);;All files (*)</source>
        <translation>Daten (*.npy *.npz *.csv *.safetensors *.pt *.pth *.bin *.ckpt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Dead blocks</source>
        <translation>Tote Blöcke</translation>
    </message>
    <message>
        <source>dead blocks</source>
        <translation>tote Blöcke</translation>
    </message>
    <message>
        <source>dead op call</source>
        <translation>toter Op-Aufruf</translation>
    </message>
    <message>
        <source>Decay of the learning rate per step.</source>
        <translation>Abnahme der Lernrate je Schritt.</translation>
    </message>
    <message>
        <source>Decay rate of the mean of gradients.</source>
        <translation>Abklingrate des Mittels der Gradienten.</translation>
    </message>
    <message>
        <source>Decay rate of the mean of squared gradients.</source>
        <translation>Abklingrate des Mittels der quadrierten Gradienten.</translation>
    </message>
    <message>
        <source>Delayed scaling takes the scale of a step from the largest values of earlier steps, and the first step has the scale 1. When a tensor shrinks, or is small in the first step, its values become 0 or the smallest numbers of the format, which have few digits.</source>
        <translation>Verzögerte Skalierung nimmt die Skala eines Schritts aus den größten Werten früherer Schritte; der erste Schritt hat die Skala 1. Schrumpft ein Tensor, oder ist er im ersten Schritt klein, werden seine Werte zu 0 oder zu den kleinsten Zahlen des Formats, die wenige Stellen haben.</translation>
    </message>
    <message>
        <source>Delayed scaling takes the scale of a step from the largest values of earlier steps. When a tensor grows within a step, its values exceed what the scale represents and become the largest number of the format. No infinity shows this.</source>
        <translation>Verzögerte Skalierung nimmt die Skala eines Schritts aus den größten Werten früherer Schritte. Wächst ein Tensor innerhalb eines Schritts, überschreiten seine Werte, was die Skala darstellt, und werden zur größten Zahl des Formats. Kein Unendlich zeigt das an.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Derived from</source>
        <translation>Abgeleitet von</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Detail was left out</source>
        <translation>Einzelheiten fehlen</translation>
    </message>
    <message>
        <source>Determines whether the batches of an overflowing step are repeated with the lower scale.</source>
        <translation>Bestimmt, ob die Batches eines überlaufenden Schritts mit der niedrigeren Skalierung wiederholt werden.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Device on which the run trains.</source>
        <translation>Gerät, auf dem der Lauf trainiert.</translation>
    </message>
    <message>
        <source>Did the loss spike?</source>
        <translation>Ist der Loss ausgebrochen?</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Difference of the loss</source>
        <translation>Differenz des Loss</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>divergiert</translation>
    </message>
    <message>
        <source>diverged at step %1</source>
        <translation>divergiert bei Schritt %1</translation>
    </message>
    <message>
        <source>Divides by the variance instead of the mean of squares.</source>
        <translation>Teilt durch die Varianz statt durch das Mittel der Quadrate.</translation>
    </message>
    <message>
        <source>Divides the values after the mean is subtracted. One number for all, or one for each channel.</source>
        <translation>Teilt die Werte, nachdem das Mittel abgezogen ist. Eine Zahl für alle oder eine je Kanal.</translation>
    </message>
    <message>
        <source>Do not show this hint again</source>
        <translation>Diesen Hinweis nicht mehr anzeigen</translation>
    </message>
    <message>
        <source>Do not start it</source>
        <translation>Nicht starten</translation>
    </message>
    <message>
        <source>Do&amp;n&apos;t save</source>
        <translation>&amp;Nicht speichern</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>läuft nicht</translation>
    </message>
    <message>
        <source>Does not wait for the step in progress.</source>
        <translation>Wartet nicht auf den laufenden Schritt.</translation>
    </message>
    <message>
        <source>Double-click or press F2 to choose a format for the selected op calls.</source>
        <translation>Doppelklicken oder F2 drücken, um ein Format für die ausgewählten Operatoraufrufe zu wählen.</translation>
    </message>
    <message>
        <source>Doublings left</source>
        <translation>Verdopplungen übrig</translation>
    </message>
    <message>
        <source>doublings left %1</source>
        <translation>Verdopplungen übrig: %1</translation>
    </message>
    <message>
        <source>Doublings left over the whole run, from 0 at the bottom to 16 at the top. Crimson: below 1.</source>
        <translation>Übrige Verdopplungen über den ganzen Lauf, von 0 unten bis 16 oben. Karmesinrot: unter 1.</translation>
    </message>
    <message>
        <source>down</source>
        <translation>abwärts</translation>
    </message>
    <message>
        <source>Download it, and drop or open the file.</source>
        <translation>Die Datei herunterladen und dann ablegen oder öffnen.</translation>
    </message>
    <message>
        <source>Downloading %1: %2 of %3</source>
        <translation>%1 wird heruntergeladen: %2 von %3</translation>
    </message>
    <message>
        <source>Drop a model, a policy, a run description or a run file anywhere in this window.</source>
        <translation>Ein Modell, eine Richtlinie, eine Laufbeschreibung oder eine Laufdatei irgendwo in diesem Fenster ablegen.</translation>
    </message>
    <message>
        <source>Drop them</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Dtype</source>
        <translation>Dtype</translation>
    </message>
    <message>
        <source>dynamic scale</source>
        <translation>dynamische Skalierung</translation>
    </message>
    <message>
        <source>E&amp;xport run…</source>
        <translation>Lauf e&amp;xportieren …</translation>
    </message>
    <message>
        <source>Each addition in %1 rounds its result to %2 bits. One rounding error is small, but the errors of many terms accumulate. Once the sum is much larger than a term, adding the term rounds to the old sum and changes nothing.</source>
        <translation>Jede Addition in %1 rundet ihr Ergebnis auf %2 Bits. Ein Rundungsfehler ist klein, aber die Fehler vieler Summanden sammeln sich. Sobald die Summe viel größer als ein Summand ist, wird beim Addieren auf die alte Summe gerundet, und nichts ändert sich.</translation>
    </message>
    <message>
        <source>Each cast appears here with the bytes it moves, its time, and the edit that removes it.</source>
        <translation>Jeder Cast erscheint hier mit den bewegten Bytes, seiner Zeit und der Änderung, die ihn beseitigt.</translation>
    </message>
    <message>
        <source>Each edit appears here with the step at which it was made. Click one to go back to it.</source>
        <translation>Jede Änderung erscheint hier mit dem Schritt, bei dem sie gemacht wurde. Eine anklicken, um zu ihr zurückzugehen.</translation>
    </message>
    <message>
        <source>Each edit of a run and each Try appears here, with what it did.</source>
        <translation>Jede Änderung eines Laufs und jeder Versuch erscheint hier mit seiner Wirkung.</translation>
    </message>
    <message>
        <source>Each format has a smallest number, and values below half of it become 0. In float16 this limit is 3e-8, so a constant of 1e-8 becomes 0. Here a value became 0 in this way. A later operation, such as a division or a logarithm, has no finite result for 0.</source>
        <translation>Jedes Format hat eine kleinste Zahl, und Werte unter der Hälfte davon werden 0. In float16 liegt diese Grenze bei 3e-8, eine Konstante von 1e-8 wird also 0. Hier wurde ein Wert auf diese Weise 0. Eine spätere Operation, etwa eine Division oder ein Logarithmus, hat für 0 kein endliches Ergebnis.</translation>
    </message>
    <message>
        <source>Each loss is multiplied by its weight before the losses are added.</source>
        <translation>Jeder Loss wird mit seinem Gewicht multipliziert, bevor die Loss-Werte addiert werden.</translation>
    </message>
    <message>
        <source>Each loss names its scaler. Gradients of different scalers are added after each is unscaled.</source>
        <translation>Jeder Loss nennt seinen Skalierer. Gradienten verschiedener Skalierer werden addiert, nachdem jeder zurückskaliert wurde.</translation>
    </message>
    <message>
        <source>Each repetition goes on with later batches. Several give the difference an interval that also covers the choice of batches.</source>
        <translation>Jede Wiederholung macht mit späteren Batches weiter. Mehrere geben der Differenz ein Intervall, das auch die Wahl der Batches abdeckt.</translation>
    </message>
    <message>
        <source>Each rule and each other change of the policy appears here, with the op calls that it is for.</source>
        <translation>Jede Regel und jede andere Änderung der Richtlinie erscheint hier mit den Operatoraufrufen, für die sie gilt.</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>jeder Schritt</translation>
    </message>
    <message>
        <source>each step, under the mean of %1</source>
        <translation>jeder Schritt, unter dem Mittel von %1</translation>
    </message>
    <message>
        <source>Each training step adds a point.</source>
        <translation>Jeder Trainingsschritt fügt einen Punkt hinzu.</translation>
    </message>
    <message>
        <source>earliest layer</source>
        <translation>früheste Schicht</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Edit the note on step %1…</source>
        <translation>Notiz zu Schritt %1 bearbeiten …</translation>
    </message>
    <message>
        <source>Edit the policy, or choose another one.</source>
        <translation>Die Richtlinie ändern oder eine andere wählen.</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>EDITOR</source>
        <translation>BEARBEITER</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Bearbeitungen</translation>
    </message>
    <message>
        <source>Edits of</source>
        <translation>Änderungen an</translation>
    </message>
    <message>
        <source>Edits that can be undone, newest first. Enter goes to the chosen state.</source>
        <translation>Änderungen, die sich rückgängig machen lassen, neueste zuerst. Die Eingabetaste geht zum gewählten Zustand.</translation>
    </message>
    <message>
        <source>Edits, rewinds and Tries, newest first. Select two to compare them.</source>
        <translation>Änderungen, Rücksprünge und Versuche, neueste zuerst. Zwei auswählen, um sie zu vergleichen.</translation>
    </message>
    <message>
        <source>Effect of this policy on the model</source>
        <translation>Wirkung dieser Richtlinie auf das Modell</translation>
    </message>
    <message>
        <source>Effect on a step</source>
        <translation>Wirkung auf einen Schritt</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>else</source>
        <translation>sonst</translation>
    </message>
    <message>
        <source>Empty: next to the run file.</source>
        <translation>Leer: neben der Laufdatei.</translation>
    </message>
    <message>
        <source>Empty: the dtype of the file, but float32 for float64, and int64 for integer targets.</source>
        <translation>Leer: der Dtype der Datei, aber float32 statt float64 und int64 für ganzzahlige Ziele.</translation>
    </message>
    <message>
        <source>Empty: the optimizer&apos;s value.</source>
        <translation>Leer: der Wert des Optimierers.</translation>
    </message>
    <message>
        <source>EMULATED</source>
        <translation>EMULIERT</translation>
    </message>
    <message>
        <source>emulated</source>
        <translation>emuliert</translation>
    </message>
    <message>
        <source>Emulated. Its time does not indicate the format&apos;s speed and is not shown.</source>
        <translation>Emuliert. Die Zeit sagt nichts über die Geschwindigkeit des Formats und wird nicht gezeigt.</translation>
    </message>
    <message>
        <source>End at once</source>
        <translation>Sofort beenden</translation>
    </message>
    <message>
        <source>end of the run</source>
        <translation>Ende des Laufs</translation>
    </message>
    <message>
        <source>Ended with an error</source>
        <translation>Mit einem Fehler beendet</translation>
    </message>
    <message>
        <source>Ended: %1</source>
        <translation>Beendet: %1</translation>
    </message>
    <message>
        <source>Ends the connection. The training goes on, as it does when the window is closed.</source>
        <translation>Beendet die Verbindung. Das Training läuft weiter, wie auch nach dem Schließen des Fensters.</translation>
    </message>
    <message>
        <source>Ends the search after the step in progress. The policies found so far are kept.</source>
        <translation>Beendet die Suche nach dem laufenden Schritt. Die bisher gefundenen Richtlinien bleiben erhalten.</translation>
    </message>
    <message>
        <source>Ends the Try after the step in progress. Its measurements are kept.</source>
        <translation>Beendet den Versuch nach dem laufenden Schritt. Seine Messungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>ENGINE</source>
        <translation>ENGINE</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Engine %1 is ready: LibTorch %2, %3.</source>
        <translation>Engine %1 ist bereit: LibTorch %2, %3.</translation>
    </message>
    <message>
        <source>Engine %1 · LibTorch %2</source>
        <translation>Engine %1 · LibTorch %2</translation>
    </message>
    <message>
        <source>Engine and devices</source>
        <translation>Engine und Geräte</translation>
    </message>
    <message>
        <source>Engine is not running</source>
        <translation>Die Engine läuft nicht</translation>
    </message>
    <message>
        <source>Engine is starting</source>
        <translation>Die Engine startet</translation>
    </message>
    <message>
        <source>Engine: a command line, or HOST[:COMMAND] for ssh. Empty: the one of this computer. A change stops the run in progress. Numbers in files always have a decimal point.</source>
        <translation>Engine: eine Befehlszeile, oder HOST[:COMMAND] für ssh. Leer: die dieses Rechners. Eine Änderung hält den laufenden Lauf an. Zahlen in Dateien haben immer einen Dezimalpunkt.</translation>
    </message>
    <message>
        <source>Enter the name of a computer.</source>
        <translation>Den Namen eines Rechners eingeben.</translation>
    </message>
    <message>
        <source>Enter the weights, one batch and the loss scale of the failed step. One step runs without an optimizer, and every op call is observed.</source>
        <translation>Die Gewichte, einen Batch und die Loss-Skalierung des fehlgeschlagenen Schritts eingeben. Ein Schritt läuft ohne Optimierer, und jeder Operatoraufruf wird beobachtet.</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Error %1 · ulp %2 · binade %3</source>
        <translation>Fehler %1 · ulp %2 · Binade %3</translation>
    </message>
    <message>
        <source>error %1 · ulp %2 · binade %3</source>
        <translation>Fehler %1 · ulp %2 · Binade %3</translation>
    </message>
    <message>
        <source>Error added, backward</source>
        <translation>Hinzugefügter Fehler, rückwärts</translation>
    </message>
    <message>
        <source>Error added, forward</source>
        <translation>Hinzugefügter Fehler, vorwärts</translation>
    </message>
    <message>
        <source>Error at the loss</source>
        <translation>Fehler am Loss</translation>
    </message>
    <message>
        <source>Error backward</source>
        <translation>Fehler rückwärts</translation>
    </message>
    <message>
        <source>Error forward</source>
        <translation>Fehler vorwärts</translation>
    </message>
    <message>
        <source>Error of the output that this op call added to that of its arguments</source>
        <translation>Fehler der Ausgabe, den dieser Operatoraufruf zu dem seiner Argumente hinzugefügt hat</translation>
    </message>
    <message>
        <source>Error that the backward of this op call added</source>
        <translation>Fehler, den der Rückwärtslauf dieses Operatoraufrufs hinzugefügt hat</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>ESTIMATE</source>
        <translation>SCHÄTZUNG</translation>
    </message>
    <message>
        <source>estimate for %1</source>
        <translation>Schätzung für %1</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>Auswerten alle</translation>
    </message>
    <message>
        <source>Evaluates the gradient ahead along the momentum.</source>
        <translation>Wertet den Gradienten entlang des Impulses voraus aus.</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>evaluation %1</source>
        <translation>Auswertung %1</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Event at step %1</source>
        <translation>Ereignis bei Schritt %1</translation>
    </message>
    <message>
        <source>event path, backward</source>
        <translation>Ereignispfad, rückwärts</translation>
    </message>
    <message>
        <source>event path, forward</source>
        <translation>Ereignispfad, vorwärts</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>every</source>
        <translation>jeder</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>jeder %1</translation>
    </message>
    <message>
        <source>Every %1 follows the base list</source>
        <translation>Jeder %1 folgt der Basisliste</translation>
    </message>
    <message>
        <source>Every %1 to %2</source>
        <translation>Jeder %1 auf %2</translation>
    </message>
    <message>
        <source>Every &amp;32nd step</source>
        <translation>Jeder &amp;32. Schritt</translation>
    </message>
    <message>
        <source>Every &amp;4th step</source>
        <translation>Jeder &amp;4. Schritt</translation>
    </message>
    <message>
        <source>Every n-th step, &amp;n =</source>
        <translation>Jeder n-te Schritt, &amp;n =</translation>
    </message>
    <message>
        <source>Every op call of the model and the loss</source>
        <translation>Jeder Operatoraufruf des Modells und des Loss</translation>
    </message>
    <message>
        <source>Every op call runs as before. Undo restores the rules.</source>
        <translation>Jeder Operatoraufruf läuft wie zuvor. Rückgängig stellt die Regeln wieder her.</translation>
    </message>
    <message>
        <source>Everything in float32</source>
        <translation>Alles in float32</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>Exact count.</source>
        <translation>Genaue Anzahl.</translation>
    </message>
    <message>
        <source>examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Executed first</source>
        <translation>Zuerst ausgeführt</translation>
    </message>
    <message>
        <source>execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>execution %1</source>
        <translation>Ausführung %1</translation>
    </message>
    <message>
        <source>Execution of formats</source>
        <translation>Ausführung der Formate</translation>
    </message>
    <message>
        <source>Exercise</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Expand all modules</source>
        <translation>Alle Module ausklappen</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>Explore and change the precision of a training run.
The environment variable BINADE_ENGINE names the engine program. The default is binade-engine in the folder of this program, or else the one in PATH.</source>
        <translation>Die Genauigkeit eines Trainingslaufs erkunden und ändern.
Die Umgebungsvariable BINADE_ENGINE nennt das Programm der Engine. Voreinstellung ist binade-engine im Ordner dieses Programms oder sonst in PATH.</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>Exponent</translation>
    </message>
    <message>
        <source>Exponent, bit %1 of %2: adds %3 to the field. The field minus %4 is the exponent of 2.</source>
        <translation>Exponent, Bit %1 von %2: addiert %3 zum Feld. Das Feld minus %4 ist der Exponent von 2.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Export &amp;graph…</source>
        <translation>&amp;Graph exportieren…</translation>
    </message>
    <message>
        <source>Export &amp;notes as CSV…</source>
        <translation>&amp;Notizen als CSV exportieren…</translation>
    </message>
    <message>
        <source>Export as CSV</source>
        <translation>Als CSV exportieren</translation>
    </message>
    <message>
        <source>Export figure as HTML</source>
        <translation>Abbildung als HTML exportieren</translation>
    </message>
    <message>
        <source>Export figure as HTML…</source>
        <translation>Abbildung als HTML exportieren …</translation>
    </message>
    <message>
        <source>Export graph</source>
        <translation>Graph exportieren</translation>
    </message>
    <message>
        <source>Export lesson as &amp;HTML…</source>
        <translation>Lektion als &amp;HTML exportieren …</translation>
    </message>
    <message>
        <source>Export lesson as HTML</source>
        <translation>Lektion als HTML exportieren</translation>
    </message>
    <message>
        <source>Export notes</source>
        <translation>Notizen exportieren</translation>
    </message>
    <message>
        <source>Export notes as CSV…</source>
        <translation>Notizen als CSV exportieren…</translation>
    </message>
    <message>
        <source>Export policy</source>
        <translation>Richtlinie exportieren</translation>
    </message>
    <message>
        <source>Export re&amp;port…</source>
        <translation>Be&amp;richt exportieren …</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Export run</source>
        <translation>Lauf exportieren</translation>
    </message>
    <message>
        <source>Export this one after it.</source>
        <translation>Diesen danach exportieren.</translation>
    </message>
    <message>
        <source>Export visible steps as CSV…</source>
        <translation>Sichtbare Schritte als CSV exportieren …</translation>
    </message>
    <message>
        <source>Exporting</source>
        <translation>Export läuft</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>F, or a double click</source>
        <translation>F oder Doppelklick</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>Angabe</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>Failed run of %1</source>
        <translation>Fehlgeschlagener Lauf von %1</translation>
    </message>
    <message>
        <source>Fashion-MNIST is not installed, so the pictures and their classes are random. The loss cannot fall as far as the lesson says.</source>
        <translation>Fashion-MNIST ist nicht installiert, daher sind Bilder und Klassen zufällig. Der Loss kann nicht so weit fallen, wie die Lektion sagt.</translation>
    </message>
    <message>
        <source>fastest rank</source>
        <translation>schnellster Rang</translation>
    </message>
    <message>
        <source>Fault</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Faults, their causes and their fixes</source>
        <translation>Fehler, ihre Ursachen und Korrekturen</translation>
    </message>
    <message>
        <source>few</source>
        <translation>wenige</translation>
    </message>
    <message>
        <source>Fewer casts</source>
        <translation>Weniger Casts</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Figure is shown</source>
        <translation>Abbildung wird gezeigt</translation>
    </message>
    <message>
        <source>Figures, predictions and exercises work without one.</source>
        <translation>Abbildungen, Vorhersagen und Aufgaben funktionieren ohne.</translation>
    </message>
    <message>
        <source>FILE</source>
        <translation>DATEI</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>File %1 does not exist on this computer.</source>
        <translation>Datei %1 existiert nicht auf diesem Rechner.</translation>
    </message>
    <message>
        <source>File %1 does not exist.</source>
        <translation>Datei %1 existiert nicht.</translation>
    </message>
    <message>
        <source>File in which the run is recorded. Empty: the run is not recorded.</source>
        <translation>Datei, in der der Lauf aufgezeichnet wird. Leer: Der Lauf wird nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>file not found</source>
        <translation>Datei nicht gefunden</translation>
    </message>
    <message>
        <source>File or folder</source>
        <translation>Datei oder Ordner</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Files on %1</source>
        <translation>Dateien auf %1</translation>
    </message>
    <message>
        <source>Files with data</source>
        <translation>Dateien mit Daten</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter op calls</source>
        <translation>Operatoraufrufe filtern</translation>
    </message>
    <message>
        <source>Filter:  format:float16  op:conv  path:layer1</source>
        <translation>Filtern:  format:float16  op:conv  path:layer1</translation>
    </message>
    <message>
        <source>Final share</source>
        <translation>Endanteil</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Find in the graph</source>
        <translation>Im Graphen suchen</translation>
    </message>
    <message>
        <source>Find in the graph (Ctrl+F)</source>
        <translation>Im Graphen suchen (Strg+F)</translation>
    </message>
    <message>
        <source>Find the cause…</source>
        <translation>Ursache suchen …</translation>
    </message>
    <message>
        <source>Find: part of a name</source>
        <translation>Suchen: Teil eines Namens</translation>
    </message>
    <message>
        <source>Finds the fewest op calls that need a wider format, with trainings as proof</source>
        <translation>Sucht die wenigsten Operatoraufrufe, die ein breiteres Format brauchen, mit Trainings als Beweis</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>Finite</source>
        <translation>Endlich</translation>
    </message>
    <message>
        <source>finite</source>
        <translation>endlich</translation>
    </message>
    <message>
        <source>finite on this batch</source>
        <translation>endlich auf diesem Batch</translation>
    </message>
    <message>
        <source>first %1, then, paler, %2</source>
        <translation>zuerst %1, dann blasser %2</translation>
    </message>
    <message>
        <source>First cause</source>
        <translation>Erste Ursache</translation>
    </message>
    <message>
        <source>First cause, %1</source>
        <translation>Erste Ursache, %1</translation>
    </message>
    <message>
        <source>first overflow above %1: %2</source>
        <translation>erster Überlauf über %1: %2</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Einpassen</translation>
    </message>
    <message>
        <source>Fit the graph</source>
        <translation>Graphen einpassen</translation>
    </message>
    <message>
        <source>Fit the graph (F)</source>
        <translation>Graphen einpassen (F)</translation>
    </message>
    <message>
        <source>Fit to value</source>
        <translation>An den Wert anpassen</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Fits at any scale</source>
        <translation>Passt bei jeder Skalierung</translation>
    </message>
    <message>
        <source>Fits, %1 by the base list</source>
        <translation>Passt, %1 laut Basisliste</translation>
    </message>
    <message>
        <source>Fits, safe to %1</source>
        <translation>Passt, sicher bis %1</translation>
    </message>
    <message>
        <source>fix failed</source>
        <translation>Korrektur hielt nicht</translation>
    </message>
    <message>
        <source>fix held</source>
        <translation>Korrektur hielt</translation>
    </message>
    <message>
        <source>Fixed scale</source>
        <translation>Feste Skalierung</translation>
    </message>
    <message>
        <source>fixed scale</source>
        <translation>feste Skalierung</translation>
    </message>
    <message>
        <source>Float or dock again</source>
        <translation>Lösen oder wieder andocken</translation>
    </message>
    <message>
        <source>Float32 comparison</source>
        <translation>Vergleich mit float32</translation>
    </message>
    <message>
        <source>float32[64,3,32,32] (normally distributed), float32[64,1]&lt;1 (from 0 to 1), int64[64,16]&lt;1000 (values below 1000), true, 0.5, list(…), dict(&quot;x&quot;: …). The first dimension is the batch.</source>
        <translation>float32[64,3,32,32] (normalverteilt), float32[64,1]&lt;1 (von 0 bis 1), int64[64,16]&lt;1000 (Werte unter 1000), true, 0.5, list(…), dict(&quot;x&quot;: …). Die erste Dimension ist der Batch.</translation>
    </message>
    <message>
        <source>Floor</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>floor</source>
        <translation>Untergrenze</translation>
    </message>
    <message>
        <source>floor %1</source>
        <translation>Untergrenze %1</translation>
    </message>
    <message>
        <source>Fold all</source>
        <translation>Alle einklappen</translation>
    </message>
    <message>
        <source>FOLDER</source>
        <translation>ORDNER</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Folder above</source>
        <translation>Übergeordneter Ordner</translation>
    </message>
    <message>
        <source>Folder on %1</source>
        <translation>Ordner auf %1</translation>
    </message>
    <message>
        <source>Folder with the wheels of LibTorch</source>
        <translation>Ordner mit den Wheels von LibTorch</translation>
    </message>
    <message>
        <source>Folders (*)</source>
        <translation>Ordner (*)</translation>
    </message>
    <message>
        <source>Follow the &amp;newest step</source>
        <translation>Dem &amp;neuesten Schritt folgen</translation>
    </message>
    <message>
        <source>Follow the base list</source>
        <translation>Der Basisliste folgen</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>folgt</translation>
    </message>
    <message>
        <source>for a Try or a search</source>
        <translation>für einen Versuch oder eine Suche</translation>
    </message>
    <message>
        <source>For delayed scaling: doublings of the tensor since the scale was made. Above 0, values saturate; below, range is unused.</source>
        <translation>Bei verzögerter Skalierung: Verdopplungen des Tensors, seit die Skala bestimmt wurde. Über 0 sättigen Werte; darunter bleibt Bereich ungenutzt.</translation>
    </message>
    <message>
        <source>Forget the progress in all lessons?</source>
        <translation>Den Fortschritt in allen Lektionen vergessen?</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>Formats for dragged op calls</source>
        <translation>Formate für gezogene Operatoraufrufe</translation>
    </message>
    <message>
        <source>Formats of an operand</source>
        <translation>Formate eines Operanden</translation>
    </message>
    <message>
        <source>Formats of the module&apos;s op calls. Setting one adds a rule for the whole module.</source>
        <translation>Formate der Operatoraufrufe des Moduls. Ein Format zu setzen fügt eine Regel für das ganze Modul hinzu.</translation>
    </message>
    <message>
        <source>Formats of the operand</source>
        <translation>Formate des Operanden</translation>
    </message>
    <message>
        <source>Formats, casts and the effect of an edit</source>
        <translation>Formate, Casts und die Wirkung einer Änderung</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>Forward %1, backward %2. Least: %3.</source>
        <translation>Vorwärts %1, rückwärts %2. Mindestens: %3.</translation>
    </message>
    <message>
        <source>Forward and backward of a step, without waits for other ranks: the mean</source>
        <translation>Vorwärts- und Rückwärtslauf eines Schritts ohne Warten auf andere Ränge: der Mittelwert</translation>
    </message>
    <message>
        <source>Forward has no argument that needs generated data.</source>
        <translation>forward hat kein Argument, das erzeugte Daten braucht.</translation>
    </message>
    <message>
        <source>forward overflow</source>
        <translation>Überlauf vorwärts</translation>
    </message>
    <message>
        <source>Forward, then backward (paler); emulated times are hatched</source>
        <translation>Vorwärts, dann rückwärts (blasser); emulierte Zeiten sind schraffiert</translation>
    </message>
    <message>
        <source>fraction</source>
        <translation>Mantisse</translation>
    </message>
    <message>
        <source>Fraction, bit %1 of %2: adds %3 of the leading power of two.</source>
        <translation>Mantisse, Bit %1 von %2: addiert %3 der führenden Zweierpotenz.</translation>
    </message>
    <message>
        <source>Free space in the temporary folder.</source>
        <translation>Im temporären Ordner Platz schaffen.</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>from %1 on</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>From a &amp;Folder…</source>
        <translation>Aus einem &amp;Ordner …</translation>
    </message>
    <message>
        <source>From cache</source>
        <translation>Aus dem Cache</translation>
    </message>
    <message>
        <source>from outside the op calls</source>
        <translation>von außerhalb der Operatoraufrufe</translation>
    </message>
    <message>
        <source>from step %1</source>
        <translation>ab Schritt %1</translation>
    </message>
    <message>
        <source>from step %1, ended early</source>
        <translation>ab Schritt %1, vorzeitig beendet</translation>
    </message>
    <message>
        <source>from the batch</source>
        <translation>aus dem Batch</translation>
    </message>
    <message>
        <source>from the next step</source>
        <translation>ab dem nächsten Schritt</translation>
    </message>
    <message>
        <source>From the output&apos;s error in excess of the arguments&apos; errors</source>
        <translation>Aus dem Fehler der Ausgabe, der über den der Argumente hinausgeht</translation>
    </message>
    <message>
        <source>front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>Fused</source>
        <translation>Fusioniert</translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation>Abstand %1</translation>
    </message>
    <message>
        <source>Generalise the policy</source>
        <translation>Richtlinie verallgemeinern</translation>
    </message>
    <message>
        <source>Generated as</source>
        <translation>Erzeugt als</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Goal, budget and limits</source>
        <translation>Ziel, Budget und Grenzen</translation>
    </message>
    <message>
        <source>Goes away if</source>
        <translation>Entfällt, wenn</translation>
    </message>
    <message>
        <source>Goes on with the last search, with the minutes and tries that are set in “Goal, budget and limits”. What it spent before counts.</source>
        <translation>Setzt die letzte Suche mit den Minuten und Versuchen fort, die in „Ziel, Budget und Grenzen“ eingestellt sind. Was sie schon verbraucht hat, zählt mit.</translation>
    </message>
    <message>
        <source>Goes to the first step that is open: %1</source>
        <translation>Geht zum ersten offenen Schritt: %1</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU waits %1</source>
        <translation>GPU wartet %1</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>Gradient</translation>
    </message>
    <message>
        <source>gradient for %1</source>
        <translation>Gradient für %1</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>gradient norm, unscaled</source>
        <translation>Gradientennorm, zurückskaliert</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>Gradient von %1</translation>
    </message>
    <message>
        <source>gradient of %1 ÷ scale</source>
        <translation>Gradient von %1 ÷ Skalierung</translation>
    </message>
    <message>
        <source>gradient of %1, after its cast</source>
        <translation>Gradient von %1, nach seinem Cast</translation>
    </message>
    <message>
        <source>gradient of its output</source>
        <translation>Gradient seiner Ausgabe</translation>
    </message>
    <message>
        <source>gradient of output %1</source>
        <translation>Gradient der Ausgabe %1</translation>
    </message>
    <message>
        <source>gradient of the output</source>
        <translation>Gradient der Ausgabe</translation>
    </message>
    <message>
        <source>gradient overflow</source>
        <translation>Gradientenüberlauf</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>Gradients are only checked for finiteness.</source>
        <translation>Gradienten werden nur auf Endlichkeit geprüft.</translation>
    </message>
    <message>
        <source>gradients of arguments</source>
        <translation>Gradienten der Argumente</translation>
    </message>
    <message>
        <source>Gradients of arguments are only checked for finiteness.</source>
        <translation>Gradienten der Argumente werden nur auf Endlichkeit geprüft.</translation>
    </message>
    <message>
        <source>gradients of parameters, ÷ scale</source>
        <translation>Gradienten der Parameter, ÷ Skalierung</translation>
    </message>
    <message>
        <source>Gradients overflow at every useful scale. Forward values may already be too large for float16, as in models trained in bfloat16. Diagnose shows the cause of the newest event and its fixes.</source>
        <translation>Gradienten laufen bei jeder brauchbaren Skalierung über. Vielleicht sind schon die Vorwärtswerte zu groß für float16, wie bei in bfloat16 trainierten Modellen. Diagnose zeigt die Ursache des neuesten Ereignisses und ihre Korrekturen.</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Graph of the model</source>
        <translation>Graph des Modells</translation>
    </message>
    <message>
        <source>Graphviz text (*.dot)</source>
        <translation>Graphviz-Text (*.dot)</translation>
    </message>
    <message>
        <source>Grey: how far rounding alone moves the loss.</source>
        <translation>Grau: wie weit Rundung allein den Loss bewegt.</translation>
    </message>
    <message>
        <source>Grey: what counts as equal, 0.1 % of the loss; rounding alone moves it less.</source>
        <translation>Grau: was als gleich gilt, 0,1 % des Loss; Rundung allein bewegt ihn weniger.</translation>
    </message>
    <message>
        <source>Group by module</source>
        <translation>Nach Modulen gruppieren</translation>
    </message>
    <message>
        <source>Grows every</source>
        <translation>Wächst alle</translation>
    </message>
    <message>
        <source>Grows ×</source>
        <translation>Wächst ×</translation>
    </message>
    <message>
        <source>Grows × %1 after %2 clean steps</source>
        <translation>Wächst × %1 nach %2 fehlerfreien Schritten</translation>
    </message>
    <message>
        <source>Growth</source>
        <translation>Wachstum</translation>
    </message>
    <message>
        <source>growth</source>
        <translation>Wachstum</translation>
    </message>
    <message>
        <source>Growth factor</source>
        <translation>Wachstumsfaktor</translation>
    </message>
    <message>
        <source>Growth factor. Must be above 1.</source>
        <translation>Wachstumsfaktor. Muss über 1 liegen.</translation>
    </message>
    <message>
        <source>Growth interval</source>
        <translation>Wachstumsintervall</translation>
    </message>
    <message>
        <source>growth interval</source>
        <translation>Wachstumsintervall</translation>
    </message>
    <message>
        <source>Growth, %1</source>
        <translation>Wachstum, %1</translation>
    </message>
    <message>
        <source>Harmless. The scaler has handled it.</source>
        <translation>Harmlos. Der Skalierer hat es behandelt.</translation>
    </message>
    <message>
        <source>hatched: subnormal · dots: ties · arrow: rounds to</source>
        <translation>schraffiert: subnormal · Punkte: Mitten · Pfeil: Ergebnis der Rundung</translation>
    </message>
    <message>
        <source>hatched: time of the emulation, not of the format</source>
        <translation>schraffiert: Zeit der Emulation, nicht des Formats</translation>
    </message>
    <message>
        <source>held by another tool</source>
        <translation>von anderem Werkzeug belegt</translation>
    </message>
    <message>
        <source>held for %1 steps</source>
        <translation>%1 Schritte lang gehalten</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>hidden overflow</source>
        <translation>verborgener Überlauf</translation>
    </message>
    <message>
        <source>Hide the path of the event</source>
        <translation>Pfad des Ereignisses ausblenden</translation>
    </message>
    <message>
        <source>Hides the path in the graph until another event is selected</source>
        <translation>Blendet den Pfad im Graphen aus, bis ein anderes Ereignis ausgewählt wird</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>higher</source>
        <translation>höher</translation>
    </message>
    <message>
        <source>highest</source>
        <translation>höchste</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histogram by binade</source>
        <translation>Histogramm nach Binaden</translation>
    </message>
    <message>
        <source>Histograms of all values, including outputs, exact for any format and scale. The most expensive level.</source>
        <translation>Histogramme aller Werte einschließlich der Ausgaben, exakt für jedes Format und jede Skalierung. Die teuerste Stufe.</translation>
    </message>
    <message>
        <source>Histograms of every gradient, and the losses in the named formats. Outputs are checked as at level Finite.</source>
        <translation>Histogramme jedes Gradienten und die Verluste in den genannten Formaten. Ausgaben werden wie auf der Stufe Endlich geprüft.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>host and command</source>
        <translation>Rechner und Befehl</translation>
    </message>
    <message>
        <source>Host time in a step; on a GPU that is the launch, not the copy</source>
        <translation>Zeit auf dem Hauptprozessor je Schritt; bei einer GPU ist das der Start, nicht die Kopie</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>Wie viel</translation>
    </message>
    <message>
        <source>How often that magnitude could double before it overflows</source>
        <translation>Wie oft sich dieser Betrag verdoppeln könnte, bevor er überläuft</translation>
    </message>
    <message>
        <source>How often the largest magnitude of the last 50 steps can double before it overflows, at the current loss scale.</source>
        <translation>Wie oft sich der größte Betrag der letzten 50 Schritte bei der aktuellen Loss-Skalierung verdoppeln kann, bevor er überläuft.</translation>
    </message>
    <message>
        <source>HTML (*.html *.htm)</source>
        <translation>HTML (*.html *.htm)</translation>
    </message>
    <message>
        <source>HTML (*.html)</source>
        <translation>HTML (*.html)</translation>
    </message>
    <message>
        <source>IDX files (MNIST, Fashion-MNIST)</source>
        <translation>IDX-Dateien (MNIST, Fashion-MNIST)</translation>
    </message>
    <message>
        <source>if</source>
        <translation>wenn</translation>
    </message>
    <message>
        <source>If this is off, one overflowing batch can leave NaN in the running mean of a batch norm permanently.</source>
        <translation>Ist dies aus, kann ein überlaufender Batch dauerhaft NaN im laufenden Mittel einer Batch-Norm hinterlassen.</translation>
    </message>
    <message>
        <source>If this is off, the export fails when the target cannot express a part of the policy.</source>
        <translation>Ist dies aus, scheitert der Export, wenn das Ziel einen Teil der Richtlinie nicht ausdrücken kann.</translation>
    </message>
    <message>
        <source>If this is off, the steps between are not observed. The loss and all gradients are still checked on every step.</source>
        <translation>Ist dies aus, werden die Schritte dazwischen nicht beobachtet. Der Loss und alle Gradienten werden trotzdem in jedem Schritt geprüft.</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>%1 importieren</translation>
    </message>
    <message>
        <source>Import a policy list</source>
        <translation>Richtlinienliste importieren</translation>
    </message>
    <message>
        <source>Import the list again, if it is for this model.</source>
        <translation>Die Liste erneut importieren, falls sie für dieses Modell ist.</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>In %1 blocks every value became 0.</source>
        <translation>In %1 Blöcken wurde jeder Wert 0.</translation>
    </message>
    <message>
        <source>In %1 blocks one value is at least 8 times as large as every other.</source>
        <translation>In %1 Blöcken ist ein Wert mindestens 8-mal so groß wie jeder andere.</translation>
    </message>
    <message>
        <source>In a cast: %1 or its gradient overflowed %2. The op itself computes in its own format.</source>
        <translation>In einem Cast: %1 oder sein Gradient lief in %2 über. Der Operator selbst rechnet in seinem eigenen Format.</translation>
    </message>
    <message>
        <source>In a chart: choose a series, hide it</source>
        <translation>In einem Diagramm: eine Reihe wählen, sie ausblenden</translation>
    </message>
    <message>
        <source>In a chart: copy picture and values</source>
        <translation>In einem Diagramm: Bild und Werte kopieren</translation>
    </message>
    <message>
        <source>In a chart: follow the newest step again</source>
        <translation>In einem Diagramm: wieder dem neuesten Schritt folgen</translation>
    </message>
    <message>
        <source>In a chart: move the cursor a step, ten steps</source>
        <translation>In einem Diagramm: den Cursor um einen Schritt oder zehn Schritte bewegen</translation>
    </message>
    <message>
        <source>In a chart: pin the step at the cursor, remove all pins</source>
        <translation>In einem Diagramm: den Schritt am Cursor anheften, alle Heftmarken entfernen</translation>
    </message>
    <message>
        <source>In a chart: show everything</source>
        <translation>In einem Diagramm: alles zeigen</translation>
    </message>
    <message>
        <source>In a chart: the view before, the view after</source>
        <translation>In einem Diagramm: die Ansicht davor, die Ansicht danach</translation>
    </message>
    <message>
        <source>In a chart: write a note on the step at the cursor</source>
        <translation>In einem Diagramm: eine Notiz zum Schritt am Cursor schreiben</translation>
    </message>
    <message>
        <source>In a chart: zoom</source>
        <translation>In einem Diagramm: zoomen</translation>
    </message>
    <message>
        <source>In Binade: train the sample %1 for %2 steps with %3.</source>
        <translation>In Binade: das Beispiel %1 für %2 Schritte mit %3 trainieren.</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>gilt</translation>
    </message>
    <message>
        <source>in steps</source>
        <translation>in Schritten</translation>
    </message>
    <message>
        <source>In the filter of the op calls: saved filters</source>
        <translation>Im Filter der Operatoraufrufe: gespeicherte Filter</translation>
    </message>
    <message>
        <source>In the op calls: choose a format</source>
        <translation>In den Operatoraufrufen: ein Format wählen</translation>
    </message>
    <message>
        <source>In the op calls: expand or collapse a module</source>
        <translation>In den Operatoraufrufen: ein Modul aus- oder einklappen</translation>
    </message>
    <message>
        <source>In the op calls: why this format?</source>
        <translation>In den Operatoraufrufen: warum dieses Format?</translation>
    </message>
    <message>
        <source>In the policies:</source>
        <translation>In den Richtlinien:</translation>
    </message>
    <message>
        <source>Includes the accumulation of its parameters&apos; gradients</source>
        <translation>Enthält die Akkumulation der Gradienten seiner Parameter</translation>
    </message>
    <message>
        <source>inexact integers</source>
        <translation>ungenaue Ganzzahlen</translation>
    </message>
    <message>
        <source>inexact sum</source>
        <translation>ungenaue Summe</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>unendlich</translation>
    </message>
    <message>
        <source>infinity</source>
        <translation>unendlich</translation>
    </message>
    <message>
        <source>infinity beyond it</source>
        <translation>darüber unendlich</translation>
    </message>
    <message>
        <source>Infinity spreads: a sum with infinity is infinite. Infinity minus infinity, and infinity times 0, are NaN. So one value affects everything computed from it.</source>
        <translation>Unendlich breitet sich aus: Eine Summe mit unendlich ist unendlich. Unendlich minus unendlich und unendlich mal 0 sind NaN. Ein einziger Wert wirkt sich also auf alles daraus Berechnete aus.</translation>
    </message>
    <message>
        <source>Initial scale</source>
        <translation>Anfangsskalierung</translation>
    </message>
    <message>
        <source>Initial weights</source>
        <translation>Anfangsgewichte</translation>
    </message>
    <message>
        <source>Initial weights from the model file</source>
        <translation>Anfangsgewichte aus der Modelldatei</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>input&apos;s gradient</source>
        <translation>Gradient der Eingabe</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Inputs of forward</source>
        <translation>Eingaben von forward</translation>
    </message>
    <message>
        <source>Inputs of the op call</source>
        <translation>Eingaben des Operatoraufrufs</translation>
    </message>
    <message>
        <source>Inputs: %1, not a multiple of %2</source>
        <translation>Eingaben: %1, kein Vielfaches von %2</translation>
    </message>
    <message>
        <source>inside the op</source>
        <translation>im Operator</translation>
    </message>
    <message>
        <source>Install an ssh client, such as OpenSSH.</source>
        <translation>Einen ssh-Client installieren, etwa OpenSSH.</translation>
    </message>
    <message>
        <source>Install binade-engine in the folder of this program, or set the environment variable BINADE_ENGINE to its path.</source>
        <translation>binade-engine im Ordner dieses Programms installieren oder die Umgebungsvariable BINADE_ENGINE auf den Pfad setzen.</translation>
    </message>
    <message>
        <source>Install binade-engine in the folder of this program.</source>
        <translation>Installieren Sie binade-engine im Ordner dieses Programms.</translation>
    </message>
    <message>
        <source>Install explorer and engine of the same version.</source>
        <translation>Programm und Engine in derselben Version installieren.</translation>
    </message>
    <message>
        <source>Install LibTorch</source>
        <translation>LibTorch installieren</translation>
    </message>
    <message>
        <source>Interval between observed steps</source>
        <translation>Abstand zwischen beobachteten Schritten</translation>
    </message>
    <message>
        <source>Interval between observed steps. Loss and gradients are checked on every step.</source>
        <translation>Abstand zwischen beobachteten Schritten. Loss und Gradienten werden in jedem Schritt geprüft.</translation>
    </message>
    <message>
        <source>Interval of checkpoints. They are also saved before each edit of the policy and at the end.</source>
        <translation>Abstand der Checkpoints. Sie werden auch vor jeder Änderung der Richtlinie und am Ende gespeichert.</translation>
    </message>
    <message>
        <source>Interval of evaluations on the held-out data. The end of the run is always evaluated.</source>
        <translation>Abstand der Auswertungen auf den zurückgehaltenen Daten. Das Ende des Laufs wird immer ausgewertet.</translation>
    </message>
    <message>
        <source>invalid operation</source>
        <translation>ungültige Operation</translation>
    </message>
    <message>
        <source>is dropped</source>
        <translation>entfällt</translation>
    </message>
    <message>
        <source>Is precision lost silently?</source>
        <translation>Geht Genauigkeit still verloren?</translation>
    </message>
    <message>
        <source>is repeated</source>
        <translation>wird wiederholt</translation>
    </message>
    <message>
        <source>Is something not finite?</source>
        <translation>Ist etwas nicht endlich?</translation>
    </message>
    <message>
        <source>Is the scale collapsing?</source>
        <translation>Bricht die Skalierung zusammen?</translation>
    </message>
    <message>
        <source>It appears after the next observed step.</source>
        <translation>Erscheint nach dem nächsten beobachteten Schritt.</translation>
    </message>
    <message>
        <source>It can be opened, reported and exported on this computer.</source>
        <translation>Sie lässt sich auf diesem Rechner öffnen, als Bericht schreiben und exportieren.</translation>
    </message>
    <message>
        <source>It decides for no op call.</source>
        <translation>Sie entscheidet für keinen Operatoraufruf.</translation>
    </message>
    <message>
        <source>It decides for no op call; inside others it may.</source>
        <translation>Sie entscheidet für keinen Operatoraufruf; innerhalb anderer vielleicht doch.</translation>
    </message>
    <message>
        <source>It ended early; this is what it had measured.</source>
        <translation>Er endete vorzeitig; dies hatte er bis dahin gemessen.</translation>
    </message>
    <message>
        <source>It ended while the connection was lost.</source>
        <translation>Es endete, während die Verbindung verloren war.</translation>
    </message>
    <message>
        <source>It ended while the connection was lost. Its run file has all recorded steps: %1.</source>
        <translation>Es endete, während die Verbindung verloren war. Seine Laufdatei enthält alle aufgezeichneten Schritte: %1.</translation>
    </message>
    <message>
        <source>It has edits here that are not saved. Reloading replaces them; Undo brings them back.</source>
        <translation>Hier gibt es ungespeicherte Änderungen daran. Neu laden ersetzt sie; Rückgängig bringt sie zurück.</translation>
    </message>
    <message>
        <source>It is measured in a run. Start one.</source>
        <translation>Wird in einem Lauf gemessen. Einen starten.</translation>
    </message>
    <message>
        <source>It is one page without scripts. Any browser shows it.</source>
        <translation>Es ist eine Seite ohne Skripte. Jeder Browser zeigt sie.</translation>
    </message>
    <message>
        <source>It is shown as it is now.</source>
        <translation>Es wird gezeigt, wie es jetzt ist.</translation>
    </message>
    <message>
        <source>It may still be working. Restarting it ends the run in progress; edits are kept.</source>
        <translation>Vielleicht arbeitet sie noch. Ein Neustart beendet den laufenden Lauf; Änderungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>It replaces the policy of %1: %2 with %3 changes.</source>
        <translation>Sie ersetzt die Richtlinie von %1: %2 mit %3 Änderungen.</translation>
    </message>
    <message>
        <source>It replaces the policy of %1: %2 with 1 change.</source>
        <translation>Sie ersetzt die Richtlinie von %1: %2 mit 1 Änderung.</translation>
    </message>
    <message>
        <source>It replaces the policy of %1: %2.</source>
        <translation>Sie ersetzt die Richtlinie von %1: %2.</translation>
    </message>
    <message>
        <source>It takes at most %1 s.</source>
        <translation>Dauert höchstens %1 s.</translation>
    </message>
    <message>
        <source>It was</source>
        <translation>Ja, früher</translation>
    </message>
    <message>
        <source>It was made after the run&apos;s end, and takes effect in the next run.</source>
        <translation>Sie wurde nach dem Ende des Laufs gemacht und wirkt im nächsten Lauf.</translation>
    </message>
    <message>
        <source>It was stopped before its end.</source>
        <translation>Vor dem Ende angehalten.</translation>
    </message>
    <message>
        <source>It was until step %1; no loss in %2 observed steps since the edit</source>
        <translation>Ja, bis Schritt %1; kein Verlust in %2 beobachteten Schritten seit der Änderung</translation>
    </message>
    <message>
        <source>It was, in %1 steps</source>
        <translation>Ja, in %1 Schritten</translation>
    </message>
    <message>
        <source>It was, until step %1; good since the edit at step %2</source>
        <translation>Ja, bis Schritt %1; gut seit der Änderung bei Schritt %2</translation>
    </message>
    <message>
        <source>It was, until step %1; no back-off since the edit at step %2, now %3</source>
        <translation>Ja, bis Schritt %1; keine Rücknahme seit der Änderung bei Schritt %2, jetzt %3</translation>
    </message>
    <message>
        <source>Its checkpoint is no longer on this computer: %1</source>
        <translation>Sein Checkpoint ist nicht mehr auf diesem Rechner: %1</translation>
    </message>
    <message>
        <source>Its code runs without the checks.</source>
        <translation>Sein Code läuft ohne die Prüfungen.</translation>
    </message>
    <message>
        <source>Its data is not in the folder.</source>
        <translation>Seine Daten sind nicht im Ordner.</translation>
    </message>
    <message>
        <source>Its experiments show their charts beside it.</source>
        <translation>Ihre Experimente zeigen ihre Diagramme daneben.</translation>
    </message>
    <message>
        <source>Its forward then takes %1 less.</source>
        <translation>Der Vorwärtslauf braucht dann %1 weniger.</translation>
    </message>
    <message>
        <source>Its forward then takes %1 more.</source>
        <translation>Der Vorwärtslauf braucht dann %1 mehr.</translation>
    </message>
    <message>
        <source>Its last output:</source>
        <translation>Letzte Ausgabe:</translation>
    </message>
    <message>
        <source>Its loss is not multiplied before backward, so there is no scale to show.</source>
        <translation>Sein Loss wird vor dem Rückwärtslauf nicht multipliziert, also gibt es keine Skalierung zu zeigen.</translation>
    </message>
    <message>
        <source>Its README.txt has the commands that reproduce the event.</source>
        <translation>Die README.txt darin enthält die Befehle, die das Ereignis reproduzieren.</translation>
    </message>
    <message>
        <source>Its result is held in %1.</source>
        <translation>Das Ergebnis wird in %1 gehalten.</translation>
    </message>
    <message>
        <source>its saving is too small</source>
        <translation>die Ersparnis ist zu klein</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Keep the last</source>
        <translation>Die letzten behalten</translation>
    </message>
    <message>
        <source>Keep the selected op calls</source>
        <translation>Die ausgewählten Operatoraufrufe behalten</translation>
    </message>
    <message>
        <source>Keeps the edit and closes the question</source>
        <translation>Behält die Änderung und schließt die Frage</translation>
    </message>
    <message>
        <source>Kernel records arrived faster than they could be read</source>
        <translation>Kernel-Einträge kamen schneller an, als sie gelesen werden konnten</translation>
    </message>
    <message>
        <source>KERNELS</source>
        <translation>KERNEL</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>Anor&amp;dnungen</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>größter</translation>
    </message>
    <message>
        <source>largest %1</source>
        <translation>größter %1</translation>
    </message>
    <message>
        <source>Largest %1, smallest %2: 2^%3.</source>
        <translation>Größter Wert %1, kleinster %2: 2^%3.</translation>
    </message>
    <message>
        <source>Largest before rounding</source>
        <translation>Größter vor der Rundung</translation>
    </message>
    <message>
        <source>Largest before the cast</source>
        <translation>Größter vor dem Cast</translation>
    </message>
    <message>
        <source>Largest finite</source>
        <translation>Größter endlicher</translation>
    </message>
    <message>
        <source>Largest loss on the test data</source>
        <translation>Größter Loss auf den Testdaten</translation>
    </message>
    <message>
        <source>Largest magnitudes, overflows, and values that are not finite.</source>
        <translation>Größte Beträge, Überläufe und nicht endliche Werte.</translation>
    </message>
    <message>
        <source>Largest size of the added error on the way to the loss</source>
        <translation>Größtes Ausmaß des hinzugefügten Fehlers auf dem Weg zum Loss</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>Letzter</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>Zuletzt gesehen</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Learning rate of all parameters that no group sets.</source>
        <translation>Lernrate aller Parameter, die keine Gruppe setzt.</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>So lassen</translation>
    </message>
    <message>
        <source>Leaves the policy as it is</source>
        <translation>Lässt die Richtlinie, wie sie ist</translation>
    </message>
    <message>
        <source>Left out: %1.</source>
        <translation>Ausgelassen: %1.</translation>
    </message>
    <message>
        <source>Left, Right; with Shift</source>
        <translation>Links, Rechts; mit Umschalt</translation>
    </message>
    <message>
        <source>Legend of the graph</source>
        <translation>Legende des Graphen</translation>
    </message>
    <message>
        <source>Less memory</source>
        <translation>Weniger Speicher</translation>
    </message>
    <message>
        <source>less than 1 doubling left</source>
        <translation>weniger als 1 Verdopplung übrig</translation>
    </message>
    <message>
        <source>Less time</source>
        <translation>Weniger Zeit</translation>
    </message>
    <message>
        <source>LESSON</source>
        <translation>LEKTION</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Lesson %1 of %2</source>
        <translation>Lektion %1 von %2</translation>
    </message>
    <message>
        <source>Lesson %1: %2</source>
        <translation>Lektion %1: %2</translation>
    </message>
    <message>
        <source>Lesson %1: %2, done</source>
        <translation>Lektion %1: %2, abgeschlossen</translation>
    </message>
    <message>
        <source>Lesson or list of lessons</source>
        <translation>Lektion oder Liste der Lektionen</translation>
    </message>
    <message>
        <source>Lesson: %1</source>
        <translation>Lektion: %1</translation>
    </message>
    <message>
        <source>Lesson: paused</source>
        <translation>Lektion: angehalten</translation>
    </message>
    <message>
        <source>Lesson: training</source>
        <translation>Lektion: trainiert</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Lessons (*.md);;All files (*)</source>
        <translation>Lektionen (*.md);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Lessons with live figures and experiments</source>
        <translation>Lektionen mit lebendigen Abbildungen und Experimenten</translation>
    </message>
    <message>
        <source>Let go</source>
        <translation>Loslassen</translation>
    </message>
    <message>
        <source>Let go of the training first; it goes on. To see both runs, choose File › Second run.</source>
        <translation>Lassen Sie zuerst das Training los; es läuft weiter. Um beide Läufe zu sehen, wählen Sie Datei › Zweiter Lauf.</translation>
    </message>
    <message>
        <source>Let go; the training goes on</source>
        <translation>Losgelassen; das Training läuft weiter</translation>
    </message>
    <message>
        <source>Let others edit</source>
        <translation>Bearbeitung abgeben</translation>
    </message>
    <message>
        <source>Letters of a command, a dock or an op call</source>
        <translation>Buchstaben eines Befehls, eines Docks oder eines Operatoraufrufs</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Level %1 records no histogram of this tensor. Level %2 records it.</source>
        <translation>Stufe %1 zeichnet kein Histogramm dieses Tensors auf. Stufe %2 zeichnet es auf.</translation>
    </message>
    <message>
        <source>Level F&amp;inite on other steps</source>
        <translation>Stufe &amp;Endlich in den anderen Schritten</translation>
    </message>
    <message>
        <source>Level of observation on the steps between.</source>
        <translation>Beobachtungsstufe in den Schritten dazwischen.</translation>
    </message>
    <message>
        <source>Level of observation. The cost rises from Off to What-if.</source>
        <translation>Beobachtungsstufe. Der Aufwand steigt von Aus bis What-if.</translation>
    </message>
    <message>
        <source>LibTorch is not installed, so the engine could not be started.</source>
        <translation>LibTorch ist nicht installiert; deshalb konnte die Engine nicht gestartet werden.</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Line of the model</source>
        <translation>Zeile des Modells</translation>
    </message>
    <message>
        <source>Linear scale from %1 to %2</source>
        <translation>Lineare Skala von %1 bis %2</translation>
    </message>
    <message>
        <source>Link to the engine</source>
        <translation>Leitung zur Engine</translation>
    </message>
    <message>
        <source>List the options.</source>
        <translation>Die Optionen auflisten.</translation>
    </message>
    <message>
        <source>Listing trainings</source>
        <translation>Trainings werden aufgelistet</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Wird geladen</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>%1 wird geladen</translation>
    </message>
    <message>
        <source>Loading the end of the run, to measure it…</source>
        <translation>Das Ende des Laufs wird geladen, um es zu messen …</translation>
    </message>
    <message>
        <source>Loading the state of the run</source>
        <translation>Der Zustand des Laufs wird geladen</translation>
    </message>
    <message>
        <source>Loading the state of the run, and measuring a step</source>
        <translation>Der Zustand des Laufs wird geladen und ein Schritt gemessen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>Logarithmisch</translation>
    </message>
    <message>
        <source>Logarithmic axis (symlog)</source>
        <translation>Logarithmische Achse (Symlog)</translation>
    </message>
    <message>
        <source>Logarithmic for both signs, linear around 0</source>
        <translation>Logarithmisch für beide Vorzeichen, linear um 0</translation>
    </message>
    <message>
        <source>Logarithmic scale from %1 to %2</source>
        <translation>Logarithmische Skala von %1 bis %2</translation>
    </message>
    <message>
        <source>logits of %1 reach %2</source>
        <translation>Logits von %1 erreichen %2</translation>
    </message>
    <message>
        <source>logits too large</source>
        <translation>zu große Logits</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>längster</translation>
    </message>
    <message>
        <source>Look at this number</source>
        <translation>Diese Zahl ansehen</translation>
    </message>
    <message>
        <source>loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>loses more than 1 % below %1: %2</source>
        <translation>verliert mehr als 1 % unter %1: %2</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>loss %1 at step %2, usually %3</source>
        <translation>Loss %1 bei Schritt %2, sonst %3</translation>
    </message>
    <message>
        <source>Loss %1 before it, %2 under it.</source>
        <translation>Loss davor %1, darunter %2.</translation>
    </message>
    <message>
        <source>Loss %1 in the first step, on average %2 in all %3 steps.</source>
        <translation>Loss %1 im ersten Schritt, im Mittel %2 in allen %3 Schritten.</translation>
    </message>
    <message>
        <source>Loss %1 in the first step, on average %2 in the last %3 of %4 steps.</source>
        <translation>Loss %1 im ersten Schritt, im Mittel %2 in den letzten %3 von %4 Schritten.</translation>
    </message>
    <message>
        <source>Loss %1 in the only step.</source>
        <translation>Loss %1 im einzigen Schritt.</translation>
    </message>
    <message>
        <source>Loss %1 under it.</source>
        <translation>Loss darunter %1.</translation>
    </message>
    <message>
        <source>loss after − before</source>
        <translation>Loss nachher − vorher</translation>
    </message>
    <message>
        <source>Loss and gradients in every step, op calls in one of %1.</source>
        <translation>Loss und Gradienten in jedem Schritt, Operatoraufrufe in einem von %1.</translation>
    </message>
    <message>
        <source>Loss and gradients were finite in %1 steps.</source>
        <translation>Loss und Gradienten waren in %1 Schritten endlich.</translation>
    </message>
    <message>
        <source>loss before it, mean of %1</source>
        <translation>Loss davor, Mittel von %1</translation>
    </message>
    <message>
        <source>loss equal</source>
        <translation>Loss gleich</translation>
    </message>
    <message>
        <source>Loss gap</source>
        <translation>Loss-Abstand</translation>
    </message>
    <message>
        <source>loss lower</source>
        <translation>Loss niedriger</translation>
    </message>
    <message>
        <source>loss not finite</source>
        <translation>Loss nicht endlich</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>Loss-Skalierung</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>Loss-Skalierung</translation>
    </message>
    <message>
        <source>Loss scale %1</source>
        <translation>Loss-Skalierung %1</translation>
    </message>
    <message>
        <source>Loss scale %1 after step %2. %3 steps skipped, %4 back-offs, %5 growths</source>
        <translation>Loss-Skalierung %1 nach Schritt %2. %3 Schritte übersprungen, %4 Rücknahmen, %5-mal gewachsen</translation>
    </message>
    <message>
        <source>loss scale %1 since step %2</source>
        <translation>Loss-Skalierung %1 seit Schritt %2</translation>
    </message>
    <message>
        <source>loss scale below 1</source>
        <translation>Loss-Skalierung unter 1</translation>
    </message>
    <message>
        <source>loss scale collapsing</source>
        <translation>Loss-Skalierung bricht zusammen</translation>
    </message>
    <message>
        <source>Loss scale, overflows, gradients and op calls</source>
        <translation>Loss-Skalierung, Überläufe, Gradienten und Operatoraufrufe</translation>
    </message>
    <message>
        <source>Loss scales at which every gradient of the step survives, by the replay</source>
        <translation>Loss-Skalierungen, bei denen jeder Gradient des Schritts erhalten bleibt, laut Wiederholung</translation>
    </message>
    <message>
        <source>Loss scaling</source>
        <translation>Skalierung des Loss</translation>
    </message>
    <message>
        <source>loss spike</source>
        <translation>Loss-Ausbruch</translation>
    </message>
    <message>
        <source>Loss still wrong? Compare one step with float32.</source>
        <translation>Der Loss ist immer noch falsch? Einen Schritt mit float32 vergleichen.</translation>
    </message>
    <message>
        <source>loss under it, mean of its last %1</source>
        <translation>Loss darunter, Mittel der letzten %1</translation>
    </message>
    <message>
        <source>Loss, last %1</source>
        <translation>Loss, letzte %1</translation>
    </message>
    <message>
        <source>Loss, last half</source>
        <translation>Loss, letzte Hälfte</translation>
    </message>
    <message>
        <source>loss, last ten steps</source>
        <translation>Loss, letzte zehn Schritte</translation>
    </message>
    <message>
        <source>Loss, mean</source>
        <translation>Loss, Mittel</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Loss-Funktionen</translation>
    </message>
    <message>
        <source>losses</source>
        <translation>Loss-Funktionen</translation>
    </message>
    <message>
        <source>Losses of the trainings</source>
        <translation>Loss-Werte der Trainings</translation>
    </message>
    <message>
        <source>Losses refer to the scaler by this name.</source>
        <translation>Loss-Funktionen verweisen mit diesem Namen auf den Skalierer.</translation>
    </message>
    <message>
        <source>LOST</source>
        <translation>GETRENNT</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>Lost of norm</source>
        <translation>Verlust der Norm</translation>
    </message>
    <message>
        <source>Lost values are detected at observe level Range or higher.</source>
        <translation>Verlorene Werte werden ab der Beobachtungsstufe Bereich erkannt.</translation>
    </message>
    <message>
        <source>Low format</source>
        <translation>Niedriges Format</translation>
    </message>
    <message>
        <source>low format</source>
        <translation>niedriges Format</translation>
    </message>
    <message>
        <source>low format %1</source>
        <translation>niedriges Format %1</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>niedriger</translation>
    </message>
    <message>
        <source>lowest</source>
        <translation>niedrigste</translation>
    </message>
    <message>
        <source>Lowest and highest scale of a block</source>
        <translation>Kleinste und größte Skala eines Blocks</translation>
    </message>
    <message>
        <source>Magnitudes</source>
        <translation>Beträge</translation>
    </message>
    <message>
        <source>Make room on the disk, or choose another place.</source>
        <translation>Schaffen Sie Platz auf der Platte, oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>Make your prediction first</source>
        <translation>Zuerst eine Vorhersage machen</translation>
    </message>
    <message>
        <source>Make your prediction first. Then the explanation appears here.</source>
        <translation>Zuerst eine Vorhersage machen. Dann erscheint hier die Erklärung.</translation>
    </message>
    <message>
        <source>Make your prediction first. Then the figure appears here.</source>
        <translation>Machen Sie zuerst Ihre Vorhersage. Dann erscheint die Abbildung hier.</translation>
    </message>
    <message>
        <source>Makes it the present policy, as one undo step. The next run starts with it.</source>
        <translation>Macht sie zur jetzigen Richtlinie, als ein Rückgängig-Schritt. Der nächste Lauf startet damit.</translation>
    </message>
    <message>
        <source>Makes it the present policy, as one undo step. The training goes on from where it is.</source>
        <translation>Macht sie zur jetzigen Richtlinie, als ein Rückgängig-Schritt. Das Training geht von seinem Stand aus weiter.</translation>
    </message>
    <message>
        <source>Makes it the run&apos;s policy, as one undo step</source>
        <translation>Macht sie zur Richtlinie des Laufs, als ein Rückgängig-Schritt</translation>
    </message>
    <message>
        <source>Makes the tried policy the run&apos;s policy, as one undo step</source>
        <translation>Macht die versuchte Richtlinie zur Richtlinie des Laufs, als ein Rückgängig-Schritt</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>Maximum magnitude of an unscaled gradient value.</source>
        <translation>Größter Betrag eines zurückskalierten Gradientenwerts.</translation>
    </message>
    <message>
        <source>Maximum norm of all unscaled gradients together. A step with a non-finite gradient is not clipped.</source>
        <translation>Größte Norm aller zurückskalierten Gradienten zusammen. Ein Schritt mit einem nicht endlichen Gradienten wird nicht begrenzt.</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean difference of the loss from that of the policy that the search started from; in a search that repairs, from float32 or from the policy without scaled formats</source>
        <translation>Mittlere Differenz des Loss zu dem der Richtlinie, von der die Suche ausging; bei einer reparierenden Suche zu float32 oder zur Richtlinie ohne skalierte Formate</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
    <message>
        <source>Mean of the last %1</source>
        <translation>Mittel der letzten %1</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Messen</translation>
    </message>
    <message>
        <source>Measure op calls</source>
        <translation>Operatoraufrufe messen</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>Measured before the edit</source>
        <translation>Vor der Änderung gemessen</translation>
    </message>
    <message>
        <source>Measured before the edit at step %1; the op call has run differently since.</source>
        <translation>Vor der Änderung bei Schritt %1 gemessen; der Operatoraufruf lief seither anders.</translation>
    </message>
    <message>
        <source>measured in %1 at a loss scale of %2.</source>
        <translation>gemessen in %1 bei einer Loss-Skalierung von %2.</translation>
    </message>
    <message>
        <source>Measured in forwards on a copy of the next batch. The training is unchanged.</source>
        <translation>In Vorwärtsläufen auf einer Kopie des nächsten Batchs gemessen. Das Training bleibt unverändert.</translation>
    </message>
    <message>
        <source>Measured: %1 a second</source>
        <translation>Gemessen: %1 je Sekunde</translation>
    </message>
    <message>
        <source>Measurement has stopped</source>
        <translation>Die Messung wurde angehalten</translation>
    </message>
    <message>
        <source>Measuring, before the next step…</source>
        <translation>Messung vor dem nächsten Schritt …</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Messung läuft …</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Memory of a step under this policy</source>
        <translation>Speicher eines Schritts unter dieser Richtlinie</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Messages of the engine appear here.</source>
        <translation>Meldungen der Engine erscheinen hier.</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Minimise the policy</source>
        <translation>Richtlinie minimieren</translation>
    </message>
    <message>
        <source>minimum to maximum in a step</source>
        <translation>Minimum bis Maximum in einem Schritt</translation>
    </message>
    <message>
        <source>Minutes of the search</source>
        <translation>Minuten der Suche</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model of the failed run</source>
        <translation>Modell des fehlgeschlagenen Laufs</translation>
    </message>
    <message>
        <source>Models and runs (*.pt *.ts *.pth *.binade);;All files (*)</source>
        <translation>Modelle und Läufe (*.pt *.ts *.pth *.binade);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Models are opened in an engine that can use the named files only. Some systems cannot confine it.</source>
        <translation>Modelle werden in einer Engine geöffnet, die nur die genannten Dateien verwenden kann. Manche Systeme können sie nicht abschotten.</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Impuls</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>Moves the format&apos;s window over the histogram. The run does not change.</source>
        <translation>Bewegt das Fenster des Formats über das Histogramm. Der Lauf ändert sich nicht.</translation>
    </message>
    <message>
        <source>multiplied by its loss&apos;s scale</source>
        <translation>mit der Skalierung seines Loss multipliziert</translation>
    </message>
    <message>
        <source>Multiplies the loss so that small gradients do not underflow in float16. The optimizer receives unscaled gradients.</source>
        <translation>Multipliziert den Loss, damit kleine Gradienten in float16 nicht unterlaufen. Der Optimierer erhält zurückskalierte Gradienten.</translation>
    </message>
    <message>
        <source>Multiprocessors active</source>
        <translation>Aktive Multiprozessoren</translation>
    </message>
    <message>
        <source>N</source>
        <translation>N</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>name %1</source>
        <translation>Name %1</translation>
    </message>
    <message>
        <source>Name and type of the argument in the model&apos;s forward.</source>
        <translation>Name und Typ des Arguments in forward des Modells.</translation>
    </message>
    <message>
        <source>Name of a target of the data. Empty: the first.</source>
        <translation>Name eines Ziels der Daten. Leer: das erste.</translation>
    </message>
    <message>
        <source>Name of the filter &quot;%1&quot;:</source>
        <translation>Name des Filters „%1“:</translation>
    </message>
    <message>
        <source>Name of the layout. An existing name replaces that layout.</source>
        <translation>Name der Anordnung. Ein vorhandener Name ersetzt jene Anordnung.</translation>
    </message>
    <message>
        <source>Name of the run in the window and in the run file.</source>
        <translation>Name des Laufs im Fenster und in der Laufdatei.</translation>
    </message>
    <message>
        <source>name, or user@name, as for ssh</source>
        <translation>Name oder Benutzer@Name, wie für ssh</translation>
    </message>
    <message>
        <source>Names of models, data and run files are names of files on %1.</source>
        <translation>Namen von Modellen, Daten und Laufdateien sind Namen von Dateien auf %1.</translation>
    </message>
    <message>
        <source>Names of models, data and run files are then names of files on that computer. This window still opens policies, run descriptions and run files of this computer. Try, Search, reports and exports of a run need its files: copy its run file here first.</source>
        <translation>Namen von Modellen, Daten und Laufdateien sind dann Namen von Dateien auf jenem Rechner. Dieses Fenster öffnet weiterhin Richtlinien, Laufbeschreibungen und Laufdateien dieses Rechners. Try, Suche, Berichte und Exporte eines Laufs brauchen dessen Dateien: Kopieren Sie zuerst die Laufdatei hierher.</translation>
    </message>
    <message>
        <source>Names of parameters: *.bias, or a module path for all parameters in it. The last matching group applies.</source>
        <translation>Namen von Parametern: *.bias oder ein Modulpfad für alle Parameter darin. Die letzte passende Gruppe gilt.</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>NaN or inf</source>
        <translation>NaN oder inf</translation>
    </message>
    <message>
        <source>NaN or inf propagated</source>
        <translation>NaN oder Unendlich weitergegeben</translation>
    </message>
    <message>
        <source>NATIVE</source>
        <translation>NATIV</translation>
    </message>
    <message>
        <source>Nearly equal values cancel here, or the op amplifies small differences. The error of the arguments dominates the result. The op calls before it need a format with more bits.</source>
        <translation>Fast gleiche Werte löschen sich hier aus, oder der Operator verstärkt kleine Unterschiede. Der Fehler der Argumente bestimmt das Ergebnis. Die Operatoraufrufe davor brauchen ein Format mit mehr Bits.</translation>
    </message>
    <message>
        <source>Needs the weights, one batch and the loss scale. No optimizer.</source>
        <translation>Braucht die Gewichte, einen Batch und die Loss-Skalierung. Keinen Optimierer.</translation>
    </message>
    <message>
        <source>Nesterov momentum</source>
        <translation>Nesterov-Impuls</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Never executed</source>
        <translation>Nie ausgeführt</translation>
    </message>
    <message>
        <source>New folder (*)</source>
        <translation>Neuer Ordner (*)</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Newest figures, %1</source>
        <translation>Neueste Zahlen, %1</translation>
    </message>
    <message>
        <source>Newest measurement of one step, forward and backward</source>
        <translation>Neueste Messung eines Schritts, vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>Newest measurement of one step, forward and backward.</source>
        <translation>Neueste Messung eines Schritts, vorwärts und rückwärts.</translation>
    </message>
    <message>
        <source>Newest observed step</source>
        <translation>Neuester beobachteter Schritt</translation>
    </message>
    <message>
        <source>Newest value and its source</source>
        <translation>Neuester Wert und seine Quelle</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Next attempt in %1 s. What was received stays, and so do your edits.</source>
        <translation>Nächster Versuch in %1 s. Das Empfangene bleibt, Ihre Änderungen auch.</translation>
    </message>
    <message>
        <source>Next lesson: %1</source>
        <translation>Nächste Lektion: %1</translation>
    </message>
    <message>
        <source>Next number</source>
        <translation>Nächste Zahl</translation>
    </message>
    <message>
        <source>Next number of the selected format (+)</source>
        <translation>Nächste Zahl des gewählten Formats (+)</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>Next view</source>
        <translation>Nächste Ansicht</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Weiter: %1</translation>
    </message>
    <message>
        <source>No block.</source>
        <translation>Kein Block.</translation>
    </message>
    <message>
        <source>No cast of an argument of this op call has been observed.</source>
        <translation>Noch wurde kein Cast eines Arguments dieses Operatoraufrufs beobachtet.</translation>
    </message>
    <message>
        <source>No casts counted yet.</source>
        <translation>Noch keine Casts gezählt.</translation>
    </message>
    <message>
        <source>No casts were counted in this run.</source>
        <translation>In diesem Lauf wurden keine Casts gezählt.</translation>
    </message>
    <message>
        <source>No change is needed.</source>
        <translation>Keine Änderung ist nötig.</translation>
    </message>
    <message>
        <source>No change is selected.</source>
        <translation>Keine Änderung ist ausgewählt.</translation>
    </message>
    <message>
        <source>no changes</source>
        <translation>keine Änderungen</translation>
    </message>
    <message>
        <source>No changes against the base list %1.</source>
        <translation>Keine Änderungen gegenüber der Basisliste %1.</translation>
    </message>
    <message>
        <source>No charts are shown.</source>
        <translation>Es werden keine Diagramme gezeigt.</translation>
    </message>
    <message>
        <source>No checkpoint was saved at an edit in this run.</source>
        <translation>In diesem Lauf wurde bei keiner Änderung ein Checkpoint gespeichert.</translation>
    </message>
    <message>
        <source>No checkpoint was saved there.</source>
        <translation>Dort wurde kein Checkpoint gespeichert.</translation>
    </message>
    <message>
        <source>No checkpoint yet.</source>
        <translation>Noch kein Checkpoint.</translation>
    </message>
    <message>
        <source>No device</source>
        <translation>Kein Gerät</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>No edit of one op call removes it.</source>
        <translation>Keine Änderung eines einzelnen Operatoraufrufs beseitigt ihn.</translation>
    </message>
    <message>
        <source>No edits yet.</source>
        <translation>Noch keine Änderungen.</translation>
    </message>
    <message>
        <source>No ended run has a checkpoint.</source>
        <translation>Kein beendeter Lauf hat einen Checkpoint.</translation>
    </message>
    <message>
        <source>No engine</source>
        <translation>Keine Engine</translation>
    </message>
    <message>
        <source>No engine answered on %1. Next: %2</source>
        <translation>Auf %1 hat keine Engine geantwortet. Nächster Schritt: %2</translation>
    </message>
    <message>
        <source>No engine answered on %1. ssh wrote:</source>
        <translation>Auf %1 hat keine Engine geantwortet. ssh schrieb:</translation>
    </message>
    <message>
        <source>No engine is running, so %1 could not be requested.</source>
        <translation>Keine Engine läuft, daher konnte %1 nicht angefordert werden.</translation>
    </message>
    <message>
        <source>No engine runs, so this experiment cannot be run now.</source>
        <translation>Keine Engine läuft, daher kann dieses Experiment jetzt nicht laufen.</translation>
    </message>
    <message>
        <source>No event is selected.</source>
        <translation>Kein Ereignis ist ausgewählt.</translation>
    </message>
    <message>
        <source>No events yet.</source>
        <translation>Noch keine Ereignisse.</translation>
    </message>
    <message>
        <source>No figure selected</source>
        <translation>Keine Abbildung ausgewählt</translation>
    </message>
    <message>
        <source>No figure.</source>
        <translation>Keine Abbildung.</translation>
    </message>
    <message>
        <source>No file here has one of the shown endings.</source>
        <translation>Keine Datei hier hat eine der gezeigten Endungen.</translation>
    </message>
    <message>
        <source>no finite value</source>
        <translation>kein endlicher Wert</translation>
    </message>
    <message>
        <source>No finite value other than 0</source>
        <translation>Kein endlicher Wert außer 0</translation>
    </message>
    <message>
        <source>No finite value: all inf or NaN</source>
        <translation>Kein endlicher Wert: alle inf oder NaN</translation>
    </message>
    <message>
        <source>No GPU</source>
        <translation>Keine GPU</translation>
    </message>
    <message>
        <source>No gradient has been measured yet.</source>
        <translation>Noch wurde kein Gradient gemessen.</translation>
    </message>
    <message>
        <source>No gradient has been observed here.</source>
        <translation>Hier wurde kein Gradient beobachtet.</translation>
    </message>
    <message>
        <source>No gradient selected</source>
        <translation>Kein Gradient ausgewählt</translation>
    </message>
    <message>
        <source>No gradient was compared, because no parameter received one.</source>
        <translation>Kein Gradient wurde verglichen, weil kein Parameter einen erhielt.</translation>
    </message>
    <message>
        <source>No gradients yet.</source>
        <translation>Noch keine Gradienten.</translation>
    </message>
    <message>
        <source>No histogram of this tensor</source>
        <translation>Kein Histogramm dieses Tensors</translation>
    </message>
    <message>
        <source>No histograms of this op call.</source>
        <translation>Keine Histogramme dieses Operatoraufrufs.</translation>
    </message>
    <message>
        <source>no infinity</source>
        <translation>kein Unendlich</translation>
    </message>
    <message>
        <source>no layer determines it</source>
        <translation>keine Schicht bestimmt sie</translation>
    </message>
    <message>
        <source>No lesson is open.</source>
        <translation>Keine Lektion ist geöffnet.</translation>
    </message>
    <message>
        <source>No lesson is shown.</source>
        <translation>Keine Lektion wird gezeigt.</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <source>No loss of precision in %1 observed steps</source>
        <translation>Kein Genauigkeitsverlust in %1 beobachteten Schritten</translation>
    </message>
    <message>
        <source>No loss scale can bring back what is 0 when it is measured.</source>
        <translation>Keine Loss-Skalierung kann zurückbringen, was beim Messen 0 ist.</translation>
    </message>
    <message>
        <source>No loss scale works for this step.</source>
        <translation>Keine Loss-Skalierung funktioniert für diesen Schritt.</translation>
    </message>
    <message>
        <source>No loss scale yet</source>
        <translation>Noch keine Loss-Skalierung</translation>
    </message>
    <message>
        <source>no lower limit</source>
        <translation>keine untere Grenze</translation>
    </message>
    <message>
        <source>No messages yet.</source>
        <translation>Noch keine Meldungen.</translation>
    </message>
    <message>
        <source>No model is open. Open a model or a run to export its policy.</source>
        <translation>Kein Modell ist geöffnet. Ein Modell oder einen Lauf öffnen, um dessen Richtlinie zu exportieren.</translation>
    </message>
    <message>
        <source>No model is trusted. A model whose code is refused asks for trust when it is opened.</source>
        <translation>Keinem Modell wird vertraut. Ein Modell, dessen Code abgelehnt wird, fragt beim Öffnen nach Vertrauen.</translation>
    </message>
    <message>
        <source>No model yet.</source>
        <translation>Noch kein Modell.</translation>
    </message>
    <message>
        <source>No non-finite gradient in %1 steps.</source>
        <translation>Kein nicht endlicher Gradient in %1 Schritten.</translation>
    </message>
    <message>
        <source>No non-finite value in %1 steps, all checked.</source>
        <translation>Kein nicht endlicher Wert in %1 Schritten, alle geprüft.</translation>
    </message>
    <message>
        <source>No notes yet.</source>
        <translation>Noch keine Notizen.</translation>
    </message>
    <message>
        <source>No op call</source>
        <translation>Kein Operatoraufruf</translation>
    </message>
    <message>
        <source>No op call is selected.</source>
        <translation>Kein Operatoraufruf ist ausgewählt.</translation>
    </message>
    <message>
        <source>No op call matches. Examples: layer1.0.conv1, layer4.*, */aten::conv2d#*</source>
        <translation>Kein Operatoraufruf passt. Beispiele: layer1.0.conv1, layer4.*, */aten::conv2d#*</translation>
    </message>
    <message>
        <source>No operand is quantized.</source>
        <translation>Kein Operand wird quantisiert.</translation>
    </message>
    <message>
        <source>No operand of this run was observed in a format with scales.</source>
        <translation>In diesem Lauf wurde kein Operand in einem Format mit Skalen beobachtet.</translation>
    </message>
    <message>
        <source>No other tool holds them</source>
        <translation>Kein anderes Werkzeug belegt sie</translation>
    </message>
    <message>
        <source>no overflow</source>
        <translation>kein Überlauf</translation>
    </message>
    <message>
        <source>No permission to read this GPU&apos;s counters</source>
        <translation>Keine Berechtigung zum Lesen der Zähler dieser GPU</translation>
    </message>
    <message>
        <source>No policy was tried.</source>
        <translation>Keine Richtlinie wurde versucht.</translation>
    </message>
    <message>
        <source>no quoted figures for these formats</source>
        <translation>keine veröffentlichten Zahlen für diese Formate</translation>
    </message>
    <message>
        <source>No rank delays the others in the last %1 steps.</source>
        <translation>In den letzten %1 Schritten hält kein Rang die anderen auf.</translation>
    </message>
    <message>
        <source>No recent files</source>
        <translation>Keine zuletzt benutzten Dateien</translation>
    </message>
    <message>
        <source>No recent files. Models, policies and run files appear here.</source>
        <translation>Keine zuletzt benutzten Dateien. Modelle, Richtlinien und Laufdateien erscheinen hier.</translation>
    </message>
    <message>
        <source>No rule can be left out or replaced.</source>
        <translation>Keine Regel kann entfallen oder ersetzt werden.</translation>
    </message>
    <message>
        <source>No run</source>
        <translation>Kein Lauf</translation>
    </message>
    <message>
        <source>No run file of another computer is shown.</source>
        <translation>Es wird keine Laufdatei eines anderen Rechners gezeigt.</translation>
    </message>
    <message>
        <source>No run has ended here.</source>
        <translation>Hier ist kein Lauf beendet worden.</translation>
    </message>
    <message>
        <source>No run is in progress.</source>
        <translation>Kein Lauf ist im Gange.</translation>
    </message>
    <message>
        <source>No run yet.</source>
        <translation>Noch kein Lauf.</translation>
    </message>
    <message>
        <source>no safe scale</source>
        <translation>keine sichere Skalierung</translation>
    </message>
    <message>
        <source>No samples yet.</source>
        <translation>Noch keine Stichproben.</translation>
    </message>
    <message>
        <source>No saved filters</source>
        <translation>Keine gespeicherten Filter</translation>
    </message>
    <message>
        <source>No search yet.</source>
        <translation>Noch keine Suche.</translation>
    </message>
    <message>
        <source>No second run.</source>
        <translation>Kein zweiter Lauf.</translation>
    </message>
    <message>
        <source>No silent fault so far in %1 observed steps.</source>
        <translation>Bisher kein stiller Fehler in %1 beobachteten Schritten.</translation>
    </message>
    <message>
        <source>No silent fault. %1 of %2 steps were observed.</source>
        <translation>Kein stiller Fehler. %1 von %2 Schritten wurden beobachtet.</translation>
    </message>
    <message>
        <source>no single edit</source>
        <translation>keine einzelne Änderung</translation>
    </message>
    <message>
        <source>No step of this run was compared.</source>
        <translation>Kein Schritt dieses Laufs wurde verglichen.</translation>
    </message>
    <message>
        <source>No step was skipped.</source>
        <translation>Kein Schritt wurde übersprungen.</translation>
    </message>
    <message>
        <source>No step yet</source>
        <translation>Noch kein Schritt</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>Noch keine Schritte</translation>
    </message>
    <message>
        <source>No steps yet.</source>
        <translation>Noch keine Schritte.</translation>
    </message>
    <message>
        <source>No tensor selected</source>
        <translation>Kein Tensor ausgewählt</translation>
    </message>
    <message>
        <source>No tensor selected.</source>
        <translation>Kein Tensor gewählt.</translation>
    </message>
    <message>
        <source>no tensor-core counter</source>
        <translation>kein Tensorkern-Zähler</translation>
    </message>
    <message>
        <source>No training runs there that can be attached to. Start one with: binade-engine train RUN.json</source>
        <translation>Dort läuft kein Training, mit dem man sich verbinden kann. Starten Sie eines mit: binade-engine train RUN.json</translation>
    </message>
    <message>
        <source>No Try yet.</source>
        <translation>Noch kein Versuch.</translation>
    </message>
    <message>
        <source>no update is lost</source>
        <translation>keine Aktualisierung geht verloren</translation>
    </message>
    <message>
        <source>No update observed yet.</source>
        <translation>Noch keine Aktualisierung beobachtet.</translation>
    </message>
    <message>
        <source>No update of this run was observed.</source>
        <translation>Keine Aktualisierung dieses Laufs wurde beobachtet.</translation>
    </message>
    <message>
        <source>no upper limit</source>
        <translation>keine obere Grenze</translation>
    </message>
    <message>
        <source>No: %1 steps, all checked</source>
        <translation>Nein: %1 Schritte, alle geprüft</translation>
    </message>
    <message>
        <source>No: %1 steps, gradients and loss checked</source>
        <translation>Nein: %1 Schritte, Gradienten und Loss geprüft</translation>
    </message>
    <message>
        <source>No: %1, %2 back-offs in %3 steps</source>
        <translation>Nein: %1, %2 Rücknahmen in %3 Schritten</translation>
    </message>
    <message>
        <source>No: %1, no back-off in %2 steps</source>
        <translation>Nein: %1, keine Rücknahme in %2 Schritten</translation>
    </message>
    <message>
        <source>No: %1, one back-off in %2 steps</source>
        <translation>Nein: %1, eine Rücknahme in %2 Schritten</translation>
    </message>
    <message>
        <source>No: %1, within its usual range</source>
        <translation>Nein: %1, in seinem üblichen Bereich</translation>
    </message>
    <message>
        <source>No: equal to float32 at step %1</source>
        <translation>Nein: gleich float32 bei Schritt %1</translation>
    </message>
    <message>
        <source>No: error up to %1, step %2</source>
        <translation>Nein: Fehler bis %1, Schritt %2</translation>
    </message>
    <message>
        <source>Nobody edits.</source>
        <translation>Niemand bearbeitet.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>none (underflow below %1, overflow above %2)</source>
        <translation>keine (Unterlauf unter %1, Überlauf über %2)</translation>
    </message>
    <message>
        <source>none changes its format</source>
        <translation>keine ändert sein Format</translation>
    </message>
    <message>
        <source>None checked: the base list&apos;s low format and float32.</source>
        <translation>Nichts gewählt: niedriges Format der Basisliste und float32.</translation>
    </message>
    <message>
        <source>none of them ran in the profiled steps</source>
        <translation>keine davon lief in den profilierten Schritten</translation>
    </message>
    <message>
        <source>none visible</source>
        <translation>keine sichtbar</translation>
    </message>
    <message>
        <source>none: gradients only</source>
        <translation>keine: nur Gradienten</translation>
    </message>
    <message>
        <source>Norm of the update, divided by the norm of the parameter</source>
        <translation>Norm der Aktualisierung, geteilt durch die Norm des Parameters</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>normal</translation>
    </message>
    <message>
        <source>Not a matrix operation</source>
        <translation>Keine Matrixoperation</translation>
    </message>
    <message>
        <source>not an argument of forward</source>
        <translation>kein Argument von forward</translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation>Noch nicht geprüft.</translation>
    </message>
    <message>
        <source>Not checked.</source>
        <translation>Nicht geprüft.</translation>
    </message>
    <message>
        <source>Not compared with float32 yet</source>
        <translation>Noch nicht mit float32 verglichen</translation>
    </message>
    <message>
        <source>Not compared yet.</source>
        <translation>Noch nicht verglichen.</translation>
    </message>
    <message>
        <source>not compared, because the loss belongs to a run: %1</source>
        <translation>nicht verglichen, weil der Loss zu einem Lauf gehört: %1</translation>
    </message>
    <message>
        <source>not compared: emulated formats take another time than native ones</source>
        <translation>nicht verglichen: emulierte Formate brauchen andere Zeit als native</translation>
    </message>
    <message>
        <source>not compared: on %1 the host&apos;s time does not show the work</source>
        <translation>nicht verglichen: auf %1 zeigt die Zeit des Hauptprozessors die Arbeit nicht</translation>
    </message>
    <message>
        <source>not decided</source>
        <translation>nicht entschieden</translation>
    </message>
    <message>
        <source>Not decided: %1 of %2. More steps or repetitions can decide.</source>
        <translation>Nicht entschieden: %1 von %2. Mehr Schritte oder Wiederholungen können entscheiden.</translation>
    </message>
    <message>
        <source>Not exported</source>
        <translation>Nicht exportiert</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>not finite %1</source>
        <translation>nicht endlich %1</translation>
    </message>
    <message>
        <source>not finite on this batch</source>
        <translation>nicht endlich auf diesem Batch</translation>
    </message>
    <message>
        <source>not for this MIG slice</source>
        <translation>nicht für diesen MIG-Teil</translation>
    </message>
    <message>
        <source>not for this virtual GPU</source>
        <translation>nicht für diese virtuelle GPU</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>Not in the newest report.</source>
        <translation>Nicht im neuesten Bericht.</translation>
    </message>
    <message>
        <source>not in the second run</source>
        <translation>nicht im zweiten Lauf</translation>
    </message>
    <message>
        <source>not in this build</source>
        <translation>nicht in diesem Build</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Not known yet since the edit at step %1</source>
        <translation>Seit der Änderung bei Schritt %1 noch nicht bekannt</translation>
    </message>
    <message>
        <source>Not known yet: %1 more steps</source>
        <translation>Noch nicht bekannt: %1 weitere Schritte</translation>
    </message>
    <message>
        <source>Not known yet: %1 of %2 steps were observed.</source>
        <translation>Noch nicht bekannt: %1 von %2 Schritten wurden beobachtet.</translation>
    </message>
    <message>
        <source>Not known yet: %1 of %2 steps were observed. Train %3 more steps.</source>
        <translation>Noch nicht bekannt: %1 von %2 Schritten beobachtet. %3 weitere Schritte trainieren.</translation>
    </message>
    <message>
        <source>Not known yet: %1 of the required %2 observed steps.</source>
        <translation>Noch nicht bekannt: %1 von %2 nötigen beobachteten Schritten.</translation>
    </message>
    <message>
        <source>NOT MEASURED</source>
        <translation>NICHT GEMESSEN</translation>
    </message>
    <message>
        <source>Not measured</source>
        <translation>Nicht gemessen</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>Not measured since the edit at step %1.</source>
        <translation>Seit der Änderung bei Schritt %1 nicht gemessen.</translation>
    </message>
    <message>
        <source>Not measured. The Profile arrangement times op calls.</source>
        <translation>Nicht gemessen. Die Anordnung Profil misst die Zeiten der Operatoraufrufe.</translation>
    </message>
    <message>
        <source>Not Now</source>
        <translation>Nicht jetzt</translation>
    </message>
    <message>
        <source>not observed at this step</source>
        <translation>bei diesem Schritt nicht beobachtet</translation>
    </message>
    <message>
        <source>Not observed since the edit at step %1</source>
        <translation>Seit der Änderung bei Schritt %1 nicht beobachtet</translation>
    </message>
    <message>
        <source>Not observed since this edit</source>
        <translation>Seit dieser Änderung nicht beobachtet</translation>
    </message>
    <message>
        <source>Not observed so far</source>
        <translation>Bisher nicht beobachtet</translation>
    </message>
    <message>
        <source>Not observed yet.</source>
        <translation>Noch nicht beobachtet.</translation>
    </message>
    <message>
        <source>not on the front</source>
        <translation>nicht auf der Front</translation>
    </message>
    <message>
        <source>not profiled yet; the Profile arrangement switches it on</source>
        <translation>noch nicht profiliert; die Anordnung Profil schaltet es ein</translation>
    </message>
    <message>
        <source>Not quite.</source>
        <translation>Nicht ganz.</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>Not read back: this target is for people.</source>
        <translation>Nicht zurückgelesen: Dieses Ziel ist für Menschen.</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Not replayed: the cause is not proved.</source>
        <translation>Nicht wiederholt: Die Ursache ist nicht bewiesen.</translation>
    </message>
    <message>
        <source>not reported</source>
        <translation>nicht mitgeteilt</translation>
    </message>
    <message>
        <source>Not run since this edit</source>
        <translation>Seit dieser Änderung nicht gelaufen</translation>
    </message>
    <message>
        <source>Not since step %1</source>
        <translation>Nicht seit Schritt %1</translation>
    </message>
    <message>
        <source>Not since step %1; in %2 steps before</source>
        <translation>Nicht seit Schritt %1; in %2 Schritten davor</translation>
    </message>
    <message>
        <source>Not written, because it cannot be read: %1</source>
        <translation>Nicht geschrieben, weil nicht lesbar: %1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Note on step %1</source>
        <translation>Notiz zu Schritt %1</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>Notiz: %1</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>nothing changed</source>
        <translation>nichts geändert</translation>
    </message>
    <message>
        <source>Nothing has been measured yet</source>
        <translation>Noch wurde nichts gemessen</translation>
    </message>
    <message>
        <source>Nothing has been measured yet. Device metrics appear here when op calls are measured.</source>
        <translation>Noch wurde nichts gemessen. Gerätewerte erscheinen hier, wenn Operatoraufrufe gemessen werden.</translation>
    </message>
    <message>
        <source>Nothing is being measured</source>
        <translation>Es wird nichts gemessen</translation>
    </message>
    <message>
        <source>Nothing is lost: the edits are kept in the window. Choose a folder that can be written and has free space.</source>
        <translation>Nichts ist verloren: Die Änderungen bleiben im Fenster. Einen beschreibbaren Ordner mit freiem Platz wählen.</translation>
    </message>
    <message>
        <source>Nothing is observed.</source>
        <translation>Es wird nichts beobachtet.</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Number formats</source>
        <translation>Zahlenformate</translation>
    </message>
    <message>
        <source>Number of batches prepared in advance by a separate thread. Results do not change.</source>
        <translation>Anzahl der Batches, die ein eigener Thread im Voraus vorbereitet. Die Ergebnisse ändern sich nicht.</translation>
    </message>
    <message>
        <source>Number of batches whose gradients are accumulated in one step. All use the same policy and scale.</source>
        <translation>Anzahl der Batches, deren Gradienten in einem Schritt akkumuliert werden. Alle verwenden dieselbe Richtlinie und Skalierung.</translation>
    </message>
    <message>
        <source>Number of consecutive non-finite losses before the run pauses.</source>
        <translation>Anzahl aufeinanderfolgender nicht endlicher Loss-Werte, bevor der Lauf pausiert.</translation>
    </message>
    <message>
        <source>Number of consecutive overflowing steps before the scale backs off.</source>
        <translation>Anzahl aufeinanderfolgender überlaufender Schritte, bevor die Skalierung zurückgeht.</translation>
    </message>
    <message>
        <source>Number of consecutive steps without an overflow before the scale grows.</source>
        <translation>Anzahl aufeinanderfolgender Schritte ohne Überlauf, bevor die Skalierung wächst.</translation>
    </message>
    <message>
        <source>Number of elements with a non-zero update</source>
        <translation>Anzahl der Elemente mit einer Aktualisierung ungleich 0</translation>
    </message>
    <message>
        <source>Number of examples in a batch.</source>
        <translation>Anzahl der Beispiele in einem Batch.</translation>
    </message>
    <message>
        <source>Number of initial steps over which the learning rate rises.</source>
        <translation>Anzahl der ersten Schritte, in denen die Lernrate steigt.</translation>
    </message>
    <message>
        <source>Number of newest checkpoints to keep of each kind. Older ones are deleted.</source>
        <translation>Anzahl der neuesten Checkpoints jeder Art, die erhalten bleiben. Ältere werden gelöscht.</translation>
    </message>
    <message>
        <source>Number of op calls that this policy changes</source>
        <translation>Zahl der Op-Aufrufe, die diese Richtlinie ändert</translation>
    </message>
    <message>
        <source>Number of optimizer steps, including skipped ones.</source>
        <translation>Anzahl der Optimierer-Schritte, übersprungene eingeschlossen.</translation>
    </message>
    <message>
        <source>Number of steps between changes.</source>
        <translation>Anzahl der Schritte zwischen Änderungen.</translation>
    </message>
    <message>
        <source>Number of steps in which its own examples gave a gradient that is not finite</source>
        <translation>Anzahl der Schritte, in denen seine eigenen Beispiele einen nicht endlichen Gradienten ergaben</translation>
    </message>
    <message>
        <source>Number of updated elements that rounding leaves unchanged</source>
        <translation>Anzahl der aktualisierten Elemente, die durch Rundung unverändert bleiben</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>NumPy (.npy, .npz), CSV, safetensors and torch.save files. Row n of each file belongs to example n.</source>
        <translation>Dateien von NumPy (.npy, .npz), CSV, safetensors und torch.save. Zeile n jeder Datei gehört zu Beispiel n.</translation>
    </message>
    <message>
        <source>NVIDIA driver</source>
        <translation>NVIDIA-Treiber</translation>
    </message>
    <message>
        <source>NVML</source>
        <translation>NVML</translation>
    </message>
    <message>
        <source>Observation is off in this run.</source>
        <translation>Die Beobachtung ist in diesem Lauf aus.</translation>
    </message>
    <message>
        <source>Observe</source>
        <translation>Beobachten</translation>
    </message>
    <message>
        <source>Observe at level %1</source>
        <translation>Auf Stufe %1 beobachten</translation>
    </message>
    <message>
        <source>Observe every</source>
        <translation>Beobachten alle</translation>
    </message>
    <message>
        <source>Observe only</source>
        <translation>Nur beobachten</translation>
    </message>
    <message>
        <source>Observe only op calls that match this pattern, as in a policy: layer4.*/aten::conv2d#*.</source>
        <translation>Nur Operatoraufrufe beobachten, auf die dieses Muster passt, wie in einer Richtlinie: layer4.*/aten::conv2d#*.</translation>
    </message>
    <message>
        <source>Observe what is missing</source>
        <translation>Beobachten, was fehlt</translation>
    </message>
    <message>
        <source>observed after rounding: losses are unknown</source>
        <translation>nach der Rundung beobachtet: Verluste sind unbekannt</translation>
    </message>
    <message>
        <source>Observed steps that show it</source>
        <translation>Beobachtete Schritte, die ihn zeigen</translation>
    </message>
    <message>
        <source>Observes every argument before its cast into an op call, and counts the values that the cast makes 0 or inf.
This needs one more pass over each argument on observed steps. The status bar shows the cost in % of training time.</source>
        <translation>Beobachtet jedes Argument vor seinem Cast in einen Operatoraufruf und zählt die Werte, die der Cast zu 0 oder inf macht.
Das braucht in beobachteten Schritten einen weiteren Durchgang über jedes Argument. Die Statusleiste zeigt den Aufwand in % der Trainingszeit.</translation>
    </message>
    <message>
        <source>Observes every parameter as stored, and its unscaled gradient before clipping.
This needs one pass over each on observed steps. The status bar shows the cost in % of training time.</source>
        <translation>Beobachtet jeden Parameter wie gespeichert und seinen zurückskalierten Gradienten vor dem Begrenzen.
Das braucht in beobachteten Schritten je einen Durchgang. Die Statusleiste zeigt den Aufwand in % der Trainingszeit.</translation>
    </message>
    <message>
        <source>Observes nothing. The fastest level.</source>
        <translation>Beobachtet nichts. Die schnellste Stufe.</translation>
    </message>
    <message>
        <source>Observes only the selected op call</source>
        <translation>Beobachtet nur den ausgewählten Operatoraufruf</translation>
    </message>
    <message>
        <source>observing %1</source>
        <translation>beobachtet %1</translation>
    </message>
    <message>
        <source>Observing costs %1</source>
        <translation>Das Beobachten kostet %1</translation>
    </message>
    <message>
        <source>Observing: too few steps to measure</source>
        <translation>Beobachtung: zu wenige Schritte zum Messen</translation>
    </message>
    <message>
        <source>of step %1, after the shown one</source>
        <translation>von Schritt %1, nach dem gezeigten</translation>
    </message>
    <message>
        <source>of the rate</source>
        <translation>der Rate</translation>
    </message>
    <message>
        <source>of the rows</source>
        <translation>der Zeilen</translation>
    </message>
    <message>
        <source>Of the step</source>
        <translation>Am Schritt</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On %1</source>
        <translation>Auf %1</translation>
    </message>
    <message>
        <source>On average, those of %1 are the smallest and those of %2 the largest.</source>
        <translation>Im Mittel sind die von %1 die kleinsten und die von %2 die größten.</translation>
    </message>
    <message>
        <source>On several ranks: whether a batch norm uses the statistics of the rank&apos;s own examples or of the whole batch. A run in one process is the same either way.</source>
        <translation>Auf mehreren Rängen: ob eine Batch-Norm die Statistik der eigenen Beispiele des Rangs oder die des ganzen Batches benutzt. Für einen Lauf in einem Prozess ist beides gleich.</translation>
    </message>
    <message>
        <source>on tensor cores</source>
        <translation>auf Tensorkernen</translation>
    </message>
    <message>
        <source>One block</source>
        <translation>Ein Block</translation>
    </message>
    <message>
        <source>one for all losses</source>
        <translation>einer für alle Loss-Funktionen</translation>
    </message>
    <message>
        <source>one gradient is all 0 or NaN and sets no limit</source>
        <translation>ein Gradient ist ganz 0 oder NaN und setzt keine Grenze</translation>
    </message>
    <message>
        <source>One of its gradients is all 0</source>
        <translation>Einer seiner Gradienten ist ganz 0</translation>
    </message>
    <message>
        <source>One of them is no edit of the policy.</source>
        <translation>Einer davon ist keine Änderung der Richtlinie.</translation>
    </message>
    <message>
        <source>One s&amp;tep</source>
        <translation>Ein Schr&amp;itt</translation>
    </message>
    <message>
        <source>One step on random data</source>
        <translation>Ein Schritt auf Zufallsdaten</translation>
    </message>
    <message>
        <source>One step on random data. The value ranges are not those of your model.</source>
        <translation>Ein Schritt auf Zufallsdaten. Die Wertebereiche sind nicht die des eigenen Modells.</translation>
    </message>
    <message>
        <source>One step was skipped.</source>
        <translation>Ein Schritt wurde übersprungen.</translation>
    </message>
    <message>
        <source>Only %1</source>
        <translation>Nur %1</translation>
    </message>
    <message>
        <source>Only &amp;op calls</source>
        <translation>Nur &amp;Operatoraufrufe</translation>
    </message>
    <message>
        <source>Only &amp;watch, and edit nothing</source>
        <translation>Nur &amp;zusehen und nichts bearbeiten</translation>
    </message>
    <message>
        <source>Only a change of the policy can be tried.</source>
        <translation>Nur eine Änderung der Richtlinie kann versucht werden.</translation>
    </message>
    <message>
        <source>Only the &amp;selected op call</source>
        <translation>Nur der au&amp;sgewählte Operatoraufruf</translation>
    </message>
    <message>
        <source>Op call</source>
        <translation>Operatoraufruf</translation>
    </message>
    <message>
        <source>Op call shown</source>
        <translation>Gezeigter Operatoraufruf</translation>
    </message>
    <message>
        <source>Op call: </source>
        <translation>Operatoraufruf: </translation>
    </message>
    <message>
        <source>Op calls</source>
        <translation>Operatoraufrufe</translation>
    </message>
    <message>
        <source>Op calls are not observed: observation is off.</source>
        <translation>Operatoraufrufe werden nicht beobachtet: Die Beobachtung ist aus.</translation>
    </message>
    <message>
        <source>Op calls are not timed.</source>
        <translation>Die Zeiten der Operatoraufrufe werden nicht gemessen.</translation>
    </message>
    <message>
        <source>Op calls are ranked by their time. A dash means: not measured, with the reason beside it.</source>
        <translation>Op-Aufrufe sind nach ihrer Zeit geordnet. Ein Strich bedeutet: nicht gemessen, mit dem Grund daneben.</translation>
    </message>
    <message>
        <source>Op calls by added error</source>
        <translation>Operatoraufrufe nach hinzugefügtem Fehler</translation>
    </message>
    <message>
        <source>Op calls by time</source>
        <translation>Operatoraufrufe nach Zeit</translation>
    </message>
    <message>
        <source>Op calls change to checked formats only. One that has another format may keep it.</source>
        <translation>Operatoraufrufe wechseln nur zu angekreuzten Formaten. Einer, der ein anderes Format hat, darf es behalten.</translation>
    </message>
    <message>
        <source>Op calls of both runs</source>
        <translation>Operatoraufrufe beider Läufe</translation>
    </message>
    <message>
        <source>Op calls were not timed yet.</source>
        <translation>Die Zeiten der Operatoraufrufe wurden noch nicht gemessen.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open a *.policy.json file.</source>
        <translation>Eine *.policy.json-Datei öffnen.</translation>
    </message>
    <message>
        <source>Open a .pt, .ts or .pth file, a .policy.json file, a .binade file or a .md file.</source>
        <translation>Eine .pt-, .ts- oder .pth-Datei, eine .policy.json-Datei, eine .binade-Datei oder eine .md-Datei öffnen.</translation>
    </message>
    <message>
        <source>Open a file in this folder.</source>
        <translation>Eine Datei in diesem Ordner öffnen.</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>Lektion öffnen</translation>
    </message>
    <message>
        <source>Open a lesson file…</source>
        <translation>Lektionsdatei öffnen …</translation>
    </message>
    <message>
        <source>Open a lesson: its number, 1 to 11, or a Markdown file that contains one. The problems of a file are listed with their lines.</source>
        <translation>Eine Lektion öffnen: ihre Nummer, 1 bis 11, oder eine Markdown-Datei, die eine enthält. Die Probleme einer Datei werden mit ihren Zeilen aufgelistet.</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Open a model or a run</source>
        <translation>Modell oder Lauf öffnen</translation>
    </message>
    <message>
        <source>Open a model, a policy, a run description or a run</source>
        <translation>Modell, Richtlinie, Laufbeschreibung oder Lauf öffnen</translation>
    </message>
    <message>
        <source>Open a recorded run</source>
        <translation>Aufgezeichneten Lauf öffnen</translation>
    </message>
    <message>
        <source>Open a run description</source>
        <translation>Laufbeschreibung öffnen</translation>
    </message>
    <message>
        <source>Open all</source>
        <translation>Alle öffnen</translation>
    </message>
    <message>
        <source>Open description…</source>
        <translation>Beschreibung öffnen …</translation>
    </message>
    <message>
        <source>Open it in https://ui.perfetto.dev.</source>
        <translation>In https://ui.perfetto.dev öffnen.</translation>
    </message>
    <message>
        <source>Open it with: tensorboard --logdir %1</source>
        <translation>Öffnen mit: tensorboard --logdir %1</translation>
    </message>
    <message>
        <source>Open the sample network and train it on Fashion-MNIST in float16.</source>
        <translation>Das Beispielnetz öffnen und auf Fashion-MNIST in float16 trainieren.</translation>
    </message>
    <message>
        <source>Open “%1”</source>
        <translation>„%1“ öffnen</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Geöffnet</translation>
    </message>
    <message>
        <source>opened policy: %1</source>
        <translation>geöffnete Richtlinie: %1</translation>
    </message>
    <message>
        <source>Opening %1 · %2 %</source>
        <translation>%1 wird geöffnet · %2 %</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Operand</source>
        <translation>Operand</translation>
    </message>
    <message>
        <source>ops[&quot;%1&quot;] is left out: no op call of the model and no base list has this operator.</source>
        <translation>ops[&quot;%1&quot;] wird ausgelassen: Kein Operatoraufruf des Modells und keine Basisliste hat diesen Operator.</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>order of rules</source>
        <translation>Reihenfolge der Regeln</translation>
    </message>
    <message>
        <source>Other action</source>
        <translation>Andere Aktion</translation>
    </message>
    <message>
        <source>other kernels %1</source>
        <translation>andere Kernel %1</translation>
    </message>
    <message>
        <source>other work %1</source>
        <translation>andere Arbeit %1</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>Speicher reicht nicht</translation>
    </message>
    <message>
        <source>Outlier blocks</source>
        <translation>Ausreißerblöcke</translation>
    </message>
    <message>
        <source>outliers</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <source>outliers spoil blocks of %1</source>
        <translation>Ausreißer verderben Blöcke von %1</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>Ausgabe %1</translation>
    </message>
    <message>
        <source>Output of ssh</source>
        <translation>Ausgabe von ssh</translation>
    </message>
    <message>
        <source>Output of the engine</source>
        <translation>Ausgabe der Engine</translation>
    </message>
    <message>
        <source>Outputs are only checked for finiteness.</source>
        <translation>Ausgaben werden nur auf Endlichkeit geprüft.</translation>
    </message>
    <message>
        <source>Outputs: %1, not a multiple of %2</source>
        <translation>Ausgaben: %1, kein Vielfaches von %2</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>Überlauf</translation>
    </message>
    <message>
        <source>overflow</source>
        <translation>Überlauf</translation>
    </message>
    <message>
        <source>overflow %1</source>
        <translation>Überlauf %1</translation>
    </message>
    <message>
        <source>Overflow events</source>
        <translation>Überlaufereignisse</translation>
    </message>
    <message>
        <source>Overflow events  %1</source>
        <translation>Überlaufereignisse  %1</translation>
    </message>
    <message>
        <source>Overflow events  %1 (%2 listed)</source>
        <translation>Überlaufereignisse  %1 (%2 aufgelistet)</translation>
    </message>
    <message>
        <source>Overflow events  %1 of %2 until step %3</source>
        <translation>Überlaufereignisse  %1 von %2 bis Schritt %3</translation>
    </message>
    <message>
        <source>Overflowed</source>
        <translation>Übergelaufen</translation>
    </message>
    <message>
        <source>overflowed</source>
        <translation>lief über</translation>
    </message>
    <message>
        <source>overflowed in a step</source>
        <translation>lief in einem Schritt über</translation>
    </message>
    <message>
        <source>Overflowing steps in a row before the scale backs off.</source>
        <translation>Überlaufende Schritte in Folge, bevor die Skalierung zurückgeht.</translation>
    </message>
    <message>
        <source>Overflows</source>
        <translation>Läuft über</translation>
    </message>
    <message>
        <source>overflows</source>
        <translation>läuft über</translation>
    </message>
    <message>
        <source>Overflows at the current scale</source>
        <translation>Läuft bei der aktuellen Skalierung über</translation>
    </message>
    <message>
        <source>Overflows before back-off</source>
        <translation>Überläufe vor der Rücknahme</translation>
    </message>
    <message>
        <source>overflows before back-off</source>
        <translation>Überläufe vor der Rücknahme</translation>
    </message>
    <message>
        <source>Overflows in its format</source>
        <translation>Läuft in seinem Format über</translation>
    </message>
    <message>
        <source>overflows to inf</source>
        <translation>läuft zu inf über</translation>
    </message>
    <message>
        <source>overflows to infinity</source>
        <translation>läuft zu unendlich über</translation>
    </message>
    <message>
        <source>overflows to NaN</source>
        <translation>läuft zu NaN über</translation>
    </message>
    <message>
        <source>Overflows, sum of %1</source>
        <translation>Überläufe, Summe aus %1</translation>
    </message>
    <message>
        <source>P or Ctrl+click; Shift+P</source>
        <translation>P oder Strg+Klick; Umschalt+P</translation>
    </message>
    <message>
        <source>pale: follows its arguments</source>
        <translation>blass: folgt seinen Argumenten</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameter groups</source>
        <translation>Parametergruppen</translation>
    </message>
    <message>
        <source>Parameter updates, largest loss first</source>
        <translation>Parameteraktualisierungen, größter Verlust zuerst</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Parameters are not observed.</source>
        <translation>Parameter werden nicht beobachtet.</translation>
    </message>
    <message>
        <source>Parameters are only checked for finiteness.</source>
        <translation>Parameter werden nur auf Endlichkeit geprüft.</translation>
    </message>
    <message>
        <source>parameters of no op call</source>
        <translation>Parameter keines Operatoraufrufs</translation>
    </message>
    <message>
        <source>Parameters of the scaler</source>
        <translation>Parameter des Skalierers</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>Parts of a bar</source>
        <translation>Teile eines Balkens</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>path of the event</source>
        <translation>Weg des Ereignisses</translation>
    </message>
    <message>
        <source>Path of the file. Select its arrays below.</source>
        <translation>Pfad der Datei. Ihre Arrays unten auswählen.</translation>
    </message>
    <message>
        <source>Path of the folder (Ctrl+L). The list has recent folders.</source>
        <translation>Pfad des Ordners (Strg+L). Die Liste enthält die letzten Ordner.</translation>
    </message>
    <message>
        <source>Pause on divergence</source>
        <translation>Bei Divergenz pausieren</translation>
    </message>
    <message>
        <source>Pause the run first.</source>
        <translation>Zuerst den Lauf pausieren.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Perfetto (a trace of the profiled steps)</source>
        <translation>Perfetto (eine Aufzeichnung der profilierten Schritte)</translation>
    </message>
    <message>
        <source>Permission for counters</source>
        <translation>Berechtigung für Zähler</translation>
    </message>
    <message>
        <source>Pin step %1</source>
        <translation>Schritt %1 anheften</translation>
    </message>
    <message>
        <source>Pixels from 0 to 1 are normalised: (pixel − mean) / standard deviation.</source>
        <translation>Pixel von 0 bis 1 werden normiert: (Pixel − Mittel) / Standardabweichung.</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>PNG image (*.png)</source>
        <translation>PNG-Bild (*.png)</translation>
    </message>
    <message>
        <source>Pointed at %1</source>
        <translation>Am Zeiger: %1</translation>
    </message>
    <message>
        <source>Policies (*.json)</source>
        <translation>Richtlinien (*.json)</translation>
    </message>
    <message>
        <source>Policies (*.policy.json)</source>
        <translation>Richtlinien (*.policy.json)</translation>
    </message>
    <message>
        <source>Policies that were tried</source>
        <translation>Versuchte Richtlinien</translation>
    </message>
    <message>
        <source>Policies, steps and repetitions</source>
        <translation>Richtlinien, Schritte und Wiederholungen</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>Richtlinie</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>Richtlinie</translation>
    </message>
    <message>
        <source>Policy after</source>
        <translation>Richtlinie nachher</translation>
    </message>
    <message>
        <source>Policy before</source>
        <translation>Richtlinie vorher</translation>
    </message>
    <message>
        <source>Policy before %1</source>
        <translation>Richtlinie vor %1</translation>
    </message>
    <message>
        <source>policy changed</source>
        <translation>Richtlinie geändert</translation>
    </message>
    <message>
        <source>policy edit</source>
        <translation>Änderung der Richtlinie</translation>
    </message>
    <message>
        <source>Policy of %1</source>
        <translation>Richtlinie von %1</translation>
    </message>
    <message>
        <source>Policy of revision %1</source>
        <translation>Richtlinie der Revision %1</translation>
    </message>
    <message>
        <source>Policy revision %1 applies from step %2: %3.</source>
        <translation>Richtlinienrevision %1 gilt ab Schritt %2: %3.</translation>
    </message>
    <message>
        <source>Powers of two at equal distances, positive numbers only; otherwise a linear axis</source>
        <translation>Zweierpotenzen in gleichen Abständen, nur positive Zahlen; sonst eine lineare Achse</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Predict first, then run. The figure on the right follows the lesson.</source>
        <translation>Zuerst vorhersagen, dann ausführen. Die Abbildung rechts folgt der Lektion.</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Prediction not made</source>
        <translation>Vorhersage nicht gemacht</translation>
    </message>
    <message>
        <source>Prefetch</source>
        <translation>Vorausladen</translation>
    </message>
    <message>
        <source>Preparing the demo</source>
        <translation>Die Vorführung wird vorbereitet</translation>
    </message>
    <message>
        <source>present policy</source>
        <translation>jetzige Richtlinie</translation>
    </message>
    <message>
        <source>Present policy · %1 %2</source>
        <translation>Jetzige Richtlinie · %1 %2</translation>
    </message>
    <message>
        <source>Press N in a chart to write one on the step at its cursor.</source>
        <translation>In einem Diagramm N drücken, um eine zum Schritt am Cursor zu schreiben.</translation>
    </message>
    <message>
        <source>Press Return to set the scale from the next step.</source>
        <translation>Die Eingabetaste drücken, um die Skalierung ab dem nächsten Schritt zu setzen.</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Preview a batch</source>
        <translation>Batch-Vorschau</translation>
    </message>
    <message>
        <source>Previous lesson</source>
        <translation>Vorige Lektion</translation>
    </message>
    <message>
        <source>Previous number</source>
        <translation>Vorige Zahl</translation>
    </message>
    <message>
        <source>Previous number of the selected format (−)</source>
        <translation>Vorige Zahl des gewählten Formats (−)</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>Vorige Ansicht</translation>
    </message>
    <message>
        <source>Print the version.</source>
        <translation>Die Version ausgeben.</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Problems of the lesson</source>
        <translation>Probleme der Lektion</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Process %1, started %2</source>
        <translation>Prozess %1, gestartet %2</translation>
    </message>
    <message>
        <source>Progress of the experiment</source>
        <translation>Fortschritt des Experiments</translation>
    </message>
    <message>
        <source>promote</source>
        <translation>breitestes Argument</translation>
    </message>
    <message>
        <source>Put the model file back to train from this run.</source>
        <translation>Die Modelldatei zurücklegen, um von diesem Lauf aus zu trainieren.</translation>
    </message>
    <message>
        <source>Quantized operands</source>
        <translation>Quantisierte Operanden</translation>
    </message>
    <message>
        <source>Quantized operands, lowest signal to noise first</source>
        <translation>Quantisierte Operanden, kleinster Signal-Rausch-Abstand zuerst</translation>
    </message>
    <message>
        <source>Quantizes the operand of the next step to every format with scales. The training itself does not change.</source>
        <translation>Quantisiert den Operanden des nächsten Schritts in jedes Format mit Skalen. Das Training selbst ändert sich nicht.</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Quoted from:</source>
        <translation>Zitiert aus:</translation>
    </message>
    <message>
        <source>random batches</source>
        <translation>zufällige Batches</translation>
    </message>
    <message>
        <source>Random labels are below this number.</source>
        <translation>Zufällige Klassen liegen unter dieser Zahl.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Rate decay</source>
        <translation>Ratenabnahme</translation>
    </message>
    <message>
        <source>Read back: %1 of %2 op calls equal.</source>
        <translation>Zurückgelesen: %1 von %2 Operatoraufrufen gleich.</translation>
    </message>
    <message>
        <source>Read the file again</source>
        <translation>Datei erneut lesen</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>Reading %1 to compare · %2 %</source>
        <translation>%1 wird zum Vergleich gelesen · %2 %</translation>
    </message>
    <message>
        <source>Reading the folder</source>
        <translation>Ordner wird gelesen</translation>
    </message>
    <message>
        <source>Reading the statistics of earlier steps …</source>
        <translation>Die Statistik früherer Schritte wird gelesen …</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>Reads the first batch as training does. Shows shapes, ranges and first values.</source>
        <translation>Liest den ersten Batch wie das Training. Zeigt Formen, Bereiche und erste Werte.</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt benutzt</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt benutzte Dateien</translation>
    </message>
    <message>
        <source>Reconnect now</source>
        <translation>Jetzt verbinden</translation>
    </message>
    <message>
        <source>RECORDED</source>
        <translation>AUFGEZEICHNET</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Recovered edits</source>
        <translation>Wiederhergestellte Änderungen</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Reduces the gradient&apos;s share in the momentum.</source>
        <translation>Verringert den Anteil des Gradienten am Impuls.</translation>
    </message>
    <message>
        <source>Reduces weights towards 0 at each step.</source>
        <translation>Verkleinert die Gewichte in jedem Schritt in Richtung 0.</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>Refused code</source>
        <translation>Abgelehnter Code</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>rejected: %1</source>
        <translation>abgelehnt: %1</translation>
    </message>
    <message>
        <source>Relative error of the gradient that arrives at the output</source>
        <translation>Relativer Fehler des Gradienten, der an der Ausgabe ankommt</translation>
    </message>
    <message>
        <source>Relative error of the output, inherited error included</source>
        <translation>Relativer Fehler der Ausgabe, einschließlich des geerbten Fehlers</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Reload %1</source>
        <translation>%1 neu laden</translation>
    </message>
    <message>
        <source>Remarks</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>Remo&amp;ve the second run</source>
        <translation>Zweiten Lauf &amp;entfernen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove a cast: %1</source>
        <translation>Einen Cast entfernen: %1</translation>
    </message>
    <message>
        <source>Remove a row from %1</source>
        <translation>Eine Zeile aus %1 entfernen</translation>
    </message>
    <message>
        <source>Remove a scaler</source>
        <translation>Skalierer entfernen</translation>
    </message>
    <message>
        <source>Remove all pins</source>
        <translation>Alle Heftmarken entfernen</translation>
    </message>
    <message>
        <source>Remove from %1</source>
        <translation>Aus %1 entfernen</translation>
    </message>
    <message>
        <source>Remove one: select its row and press Delete.</source>
        <translation>Einen entfernen: seine Zeile auswählen und Entf drücken.</translation>
    </message>
    <message>
        <source>Remove pin from step %1</source>
        <translation>Heftmarke von Schritt %1 entfernen</translation>
    </message>
    <message>
        <source>Remove the scaler</source>
        <translation>Den Skalierer entfernen</translation>
    </message>
    <message>
        <source>Remove this cast</source>
        <translation>Diesen Cast entfernen</translation>
    </message>
    <message>
        <source>Remove this change</source>
        <translation>Diese Änderung entfernen</translation>
    </message>
    <message>
        <source>Repair a failing policy</source>
        <translation>Fehlschlagende Richtlinie reparieren</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Repetitions on later batches</source>
        <translation>Wiederholungen auf späteren Batches</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Replaced by patterns: %1, now %2.</source>
        <translation>Durch Muster ersetzt: %1, jetzt %2.</translation>
    </message>
    <message>
        <source>Reports replaced by newer ones: %1</source>
        <translation>Durch neuere ersetzte Berichte: %1</translation>
    </message>
    <message>
        <source>requested</source>
        <translation>angefordert</translation>
    </message>
    <message>
        <source>Reset progress</source>
        <translation>Fortschritt zurücksetzen</translation>
    </message>
    <message>
        <source>Restart &amp;with this policy</source>
        <translation>&amp;Mit dieser Richtlinie neu starten</translation>
    </message>
    <message>
        <source>Restart engine</source>
        <translation>Engine neu starten</translation>
    </message>
    <message>
        <source>Restart the &amp;engine</source>
        <translation>&amp;Engine neu starten</translation>
    </message>
    <message>
        <source>Restart the engine from the Run menu to be asked again.</source>
        <translation>Die Engine über das Menü Lauf neu starten, um wieder gefragt zu werden.</translation>
    </message>
    <message>
        <source>Restart the engine from the Run menu.</source>
        <translation>Die Engine über das Menü Lauf neu starten.</translation>
    </message>
    <message>
        <source>Restart the engine.</source>
        <translation>Die Engine neu starten.</translation>
    </message>
    <message>
        <source>Restart with these settings</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Restore buffers after a skipped step</source>
        <translation>Puffer nach einem übersprungenen Schritt wiederherstellen</translation>
    </message>
    <message>
        <source>Restore columns</source>
        <translation>Spalten wiederherstellen</translation>
    </message>
    <message>
        <source>Restores the policy before, as one undo step. The training goes on from where it is.</source>
        <translation>Stellt die vorige Richtlinie wieder her, als ein Rückgängig-Schritt. Das Training geht von seinem Stand aus weiter.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Resume from</source>
        <translation>Fortsetzen ab</translation>
    </message>
    <message>
        <source>Resume from step %1</source>
        <translation>Ab Schritt %1 fortsetzen</translation>
    </message>
    <message>
        <source>Resume from step %1…</source>
        <translation>Ab Schritt %1 fortsetzen …</translation>
    </message>
    <message>
        <source>Resume from the last &amp;checkpoint</source>
        <translation>Ab dem letzten &amp;Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Return applies a field from the next step on.</source>
        <translation>Die Eingabetaste übernimmt ein Feld ab dem nächsten Schritt.</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>Aufdecken</translation>
    </message>
    <message>
        <source>Revision %1</source>
        <translation>Revision %1</translation>
    </message>
    <message>
        <source>revision %1</source>
        <translation>Revision %1</translation>
    </message>
    <message>
        <source>Revision %1 against %2</source>
        <translation>Revision %1 gegenüber %2</translation>
    </message>
    <message>
        <source>Revision %1 against %2: %3</source>
        <translation>Revision %1 gegenüber %2: %3</translation>
    </message>
    <message>
        <source>Revision %1, in force</source>
        <translation>Revision %1, gilt</translation>
    </message>
    <message>
        <source>Rewind</source>
        <translation>Zurückspulen</translation>
    </message>
    <message>
        <source>Rewind the training to step %1?</source>
        <translation>Das Training auf Schritt %1 zurückspulen?</translation>
    </message>
    <message>
        <source>Rewind to step %1</source>
        <translation>Auf Schritt %1 zurückspulen</translation>
    </message>
    <message>
        <source>Rewind to step %1…</source>
        <translation>Auf Schritt %1 zurückspulen …</translation>
    </message>
    <message>
        <source>Rewound from step %1 to %2</source>
        <translation>Von Schritt %1 auf %2 zurückgespult</translation>
    </message>
    <message>
        <source>rewound to step %1</source>
        <translation>auf Schritt %1 zurückgespult</translation>
    </message>
    <message>
        <source>Rewound to step %1.</source>
        <translation>Auf Schritt %1 zurückgespult.</translation>
    </message>
    <message>
        <source>Right, Left</source>
        <translation>Rechts, Links</translation>
    </message>
    <message>
        <source>Role of this window</source>
        <translation>Rolle dieses Fensters</translation>
    </message>
    <message>
        <source>rounding alone</source>
        <translation>Rundung allein</translation>
    </message>
    <message>
        <source>Rounding alone moves the loss as far, so more steps would not tell them apart.</source>
        <translation>Rundung allein bewegt den Loss ebenso weit, mehr Schritte würden sie also nicht unterscheiden.</translation>
    </message>
    <message>
        <source>rounding shifts the mean of %1</source>
        <translation>Runden verschiebt das Mittel von %1</translation>
    </message>
    <message>
        <source>Rounding to nearest moves each value to the same neighbour every time. Over many steps such errors add up in one direction. Stochastic rounding goes up or down with the probability that makes the mean right.</source>
        <translation>Runden zum nächsten Wert führt jeden Wert jedes Mal zum selben Nachbarn. Über viele Schritte summieren sich solche Fehler in einer Richtung. Stochastisches Runden geht mit der Wahrscheinlichkeit auf- oder abwärts, die den Mittelwert richtig macht.</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>rows %1 to %2</source>
        <translation>Zeilen %1 bis %2</translation>
    </message>
    <message>
        <source>Rows not finite, batch %1 of the step</source>
        <translation>Nicht endliche Zeilen, Batch %1 des Schritts</translation>
    </message>
    <message>
        <source>Rows of its batch not finite</source>
        <translation>Nicht endliche Zeilen seines Batchs</translation>
    </message>
    <message>
        <source>Rows of the batch not finite</source>
        <translation>Nicht endliche Zeilen des Batchs</translation>
    </message>
    <message>
        <source>Rule that causes the cast; the tool tip of a cell has the whole text</source>
        <translation>Regel, die den Cast verursacht; der Tooltip einer Zelle hat den ganzen Text</translation>
    </message>
    <message>
        <source>Ruler</source>
        <translation>Lineal</translation>
    </message>
    <message>
        <source>Ruler of formats</source>
        <translation>Lineal der Formate</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Run %1 of %2: batches of %3, %4 steps.</source>
        <translation>Lauf %1 von %2: Batches von %3, %4 Schritte.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Run and policy</source>
        <translation>Lauf und Richtlinie</translation>
    </message>
    <message>
        <source>Run binade-engine setup on the computer of the engine.</source>
        <translation>binade-engine setup auf dem Computer der Engine ausführen.</translation>
    </message>
    <message>
        <source>Run description</source>
        <translation>Laufbeschreibung</translation>
    </message>
    <message>
        <source>Run descriptions (*.json);;All files (*)</source>
        <translation>Laufbeschreibungen (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Run descriptions (*.run.json)</source>
        <translation>Laufbeschreibungen (*.run.json)</translation>
    </message>
    <message>
        <source>Run file</source>
        <translation>Laufdatei</translation>
    </message>
    <message>
        <source>Run file on %1</source>
        <translation>Laufdatei auf %1</translation>
    </message>
    <message>
        <source>Run file · %1</source>
        <translation>Laufdatei · %1</translation>
    </message>
    <message>
        <source>Run of the heat map</source>
        <translation>Lauf der Heatmap</translation>
    </message>
    <message>
        <source>Run on the engine</source>
        <translation>Auf der Engine ausführen</translation>
    </message>
    <message>
        <source>Run the &amp;demo</source>
        <translation>Vorführung &amp;starten</translation>
    </message>
    <message>
        <source>Run the demo</source>
        <translation>Vorführung starten</translation>
    </message>
    <message>
        <source>Run the demo unattended and save PNG pictures in FOLDER. With a run file (*.binade), save pictures of that run instead; the same file gives the same pictures. With --attach, save pictures of that training, which is only watched. No display is needed.</source>
        <translation>Die Vorführung ohne Bedienung ausführen und PNG-Bilder in ORDNER speichern. Mit einer Laufdatei (*.binade) stattdessen Bilder dieses Laufs speichern; dieselbe Datei ergibt dieselben Bilder. Mit --attach Bilder dieses Trainings speichern, das nur beobachtet wird. Eine Anzeige ist nicht nötig.</translation>
    </message>
    <message>
        <source>Run the experiment</source>
        <translation>Experiment ausführen</translation>
    </message>
    <message>
        <source>Run this step</source>
        <translation>Diesen Schritt ausführen</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>Lauf zum Vergleich</translation>
    </message>
    <message>
        <source>Runs (*.binade)</source>
        <translation>Läufe (*.binade)</translation>
    </message>
    <message>
        <source>Runs (*.binade);;All files (*)</source>
        <translation>Läufe (*.binade);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>runs and examines one step</source>
        <translation>führt einen Schritt aus und untersucht ihn</translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation>Läuft in %1</translation>
    </message>
    <message>
        <source>Runs on %1.</source>
        <translation>Läuft auf %1.</translation>
    </message>
    <message>
        <source>Runs on %1. float16 is emulated with the same rounding; its speed is not measured.</source>
        <translation>Läuft auf %1. float16 wird mit derselben Rundung emuliert; seine Geschwindigkeit wird nicht gemessen.</translation>
    </message>
    <message>
        <source>Runs one step on random data. The value ranges are not those of your model.</source>
        <translation>Führt einen Schritt auf Zufallsdaten aus. Die Wertebereiche sind nicht die des eigenen Modells.</translation>
    </message>
    <message>
        <source>Runs one step under the policy and again in float32, from the same state and batch. Op calls are ranked by the error that they add. The training itself does not change.</source>
        <translation>Führt einen Schritt unter der Richtlinie und noch einmal in float32 aus, vom selben Zustand und Batch. Die Operatoraufrufe werden nach dem Fehler geordnet, den sie hinzufügen. Das Training selbst ändert sich nicht.</translation>
    </message>
    <message>
        <source>Runs one step under the policy and again in float32. The training itself does not change.</source>
        <translation>Führt einen Schritt unter der Richtlinie und noch einmal in float32 aus. Das Training selbst ändert sich nicht.</translation>
    </message>
    <message>
        <source>Runs “ssh HOST COMMAND” and trains there. ssh must log in without a question, by a key or an agent, and the other computer needs binade-engine of this version.</source>
        <translation>Führt „ssh RECHNER BEFEHL“ aus und trainiert dort. ssh muss ohne Rückfrage anmelden, mit einem Schlüssel oder Agenten, und der andere Rechner braucht binade-engine in dieser Version.</translation>
    </message>
    <message>
        <source>S&amp;tart page</source>
        <translation>S&amp;tartseite</translation>
    </message>
    <message>
        <source>safe %1 (replay)</source>
        <translation>sicher %1 (Wiederholung)</translation>
    </message>
    <message>
        <source>safe %1 … %2</source>
        <translation>sicher %1 … %2</translation>
    </message>
    <message>
        <source>safe %1 … %2 (bounds)</source>
        <translation>sicher %1 … %2 (Schranken)</translation>
    </message>
    <message>
        <source>safe down to %1</source>
        <translation>sicher hinab bis %1</translation>
    </message>
    <message>
        <source>safe scale band</source>
        <translation>sicheres Skalierungsband</translation>
    </message>
    <message>
        <source>Safe scales</source>
        <translation>Sichere Skalierungen</translation>
    </message>
    <message>
        <source>safe scales</source>
        <translation>sichere Skalierungen</translation>
    </message>
    <message>
        <source>Safe scales, by the replay</source>
        <translation>Sichere Skalierungen laut Wiederholung</translation>
    </message>
    <message>
        <source>safe up to %1</source>
        <translation>sicher bis %1</translation>
    </message>
    <message>
        <source>safe: no observed gradient overflows or loses more than 1 % of its norm</source>
        <translation>sicher: kein beobachteter Gradient läuft über oder verliert mehr als 1 % seiner Norm</translation>
    </message>
    <message>
        <source>same policy</source>
        <translation>gleiche Richtlinie</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>Beispiel %1</translation>
    </message>
    <message>
        <source>Samples arrived faster than they could be read</source>
        <translation>Stichproben kamen schneller an, als sie gelesen werden konnten</translation>
    </message>
    <message>
        <source>Saturate</source>
        <translation>Sättigen</translation>
    </message>
    <message>
        <source>Saturated</source>
        <translation>Gesättigt</translation>
    </message>
    <message>
        <source>saturates</source>
        <translation>sättigt</translation>
    </message>
    <message>
        <source>saturation</source>
        <translation>Sättigung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save &amp;bundle of the event…</source>
        <translation>&amp;Bündel des Ereignisses speichern …</translation>
    </message>
    <message>
        <source>Save &amp;diagnostics…</source>
        <translation>&amp;Diagnosedaten speichern …</translation>
    </message>
    <message>
        <source>Save a cop&amp;y of the run file here…</source>
        <translation>&amp;Kopie der Laufdatei hier speichern …</translation>
    </message>
    <message>
        <source>Save a copy of the run file</source>
        <translation>Kopie der Laufdatei speichern</translation>
    </message>
    <message>
        <source>Save as PNG</source>
        <translation>Als PNG speichern</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>Als PNG speichern …</translation>
    </message>
    <message>
        <source>Save as SVG</source>
        <translation>Als SVG speichern</translation>
    </message>
    <message>
        <source>Save as SVG…</source>
        <translation>Als SVG speichern …</translation>
    </message>
    <message>
        <source>Save chec&amp;kpoint</source>
        <translation>Chec&amp;kpoint speichern</translation>
    </message>
    <message>
        <source>Save checkpoint</source>
        <translation>Checkpoint speichern</translation>
    </message>
    <message>
        <source>Save description…</source>
        <translation>Beschreibung speichern …</translation>
    </message>
    <message>
        <source>Save diagnostics</source>
        <translation>Diagnosedaten speichern</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>Filter speichern</translation>
    </message>
    <message>
        <source>Save for Graphviz…</source>
        <translation>Für Graphviz speichern…</translation>
    </message>
    <message>
        <source>Save it there again</source>
        <translation>Dort wieder speichern</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Anordnung speichern</translation>
    </message>
    <message>
        <source>Save layout &amp;as…</source>
        <translation>Anordnung speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save model…</source>
        <translation>Modell speichern …</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>Bild speichern …</translation>
    </message>
    <message>
        <source>Save policy</source>
        <translation>Richtlinie speichern</translation>
    </message>
    <message>
        <source>Save policy &amp;as…</source>
        <translation>Richtlinie speichern &amp;unter …</translation>
    </message>
    <message>
        <source>Save policy…</source>
        <translation>Richtlinie speichern …</translation>
    </message>
    <message>
        <source>Save run &amp;description…</source>
        <translation>Lauf&amp;beschreibung speichern …</translation>
    </message>
    <message>
        <source>Save the event as a new folder</source>
        <translation>Das Ereignis als neuen Ordner speichern</translation>
    </message>
    <message>
        <source>Save the run description</source>
        <translation>Laufbeschreibung speichern</translation>
    </message>
    <message>
        <source>Save the trained model</source>
        <translation>Trainiertes Modell speichern</translation>
    </message>
    <message>
        <source>Save this filter…</source>
        <translation>Diesen Filter speichern …</translation>
    </message>
    <message>
        <source>Save trained &amp;model…</source>
        <translation>Trainiertes &amp;Modell speichern …</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Saved files</source>
        <translation>Gespeicherte Dateien</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>Gespeicherte Filter</translation>
    </message>
    <message>
        <source>Saved filters (Alt+Down)</source>
        <translation>Gespeicherte Filter (Alt+Ab)</translation>
    </message>
    <message>
        <source>Saves parameters, optimizer, scaler, random state, data position and policy before the next step.</source>
        <translation>Speichert Parameter, Optimierer, Skalierer, Zufallszustand, Datenposition und Richtlinie vor dem nächsten Schritt.</translation>
    </message>
    <message>
        <source>Saves the model with its trained weights as TorchScript, for torch.jit.load.</source>
        <translation>Speichert das Modell mit seinen trainierten Gewichten als TorchScript, für torch.jit.load.</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Saving the trained model</source>
        <translation>Das trainierte Modell wird gespeichert</translation>
    </message>
    <message>
        <source>Saving the trained weights</source>
        <translation>Die trainierten Gewichte werden gespeichert</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>Skalierung %1</translation>
    </message>
    <message>
        <source>scale %1 → %2</source>
        <translation>Skalierung %1 → %2</translation>
    </message>
    <message>
        <source>scale set to %1</source>
        <translation>Skalierung auf %1 gesetzt</translation>
    </message>
    <message>
        <source>Scale the loss</source>
        <translation>Den Loss skalieren</translation>
    </message>
    <message>
        <source>Scaler</source>
        <translation>Skalierer</translation>
    </message>
    <message>
        <source>scaler</source>
        <translation>Skalierer</translation>
    </message>
    <message>
        <source>Scaler: %1</source>
        <translation>Skalierer: %1</translation>
    </message>
    <message>
        <source>Scales of blocks included</source>
        <translation>Skalen der Blöcke eingerechnet</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Schedule of the learning rate. It counts all steps, including skipped ones.</source>
        <translation>Ablauf der Lernrate. Er zählt alle Schritte, auch übersprungene.</translation>
    </message>
    <message>
        <source>Screens</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Search for the smallest repair…</source>
        <translation>Kleinste Reparatur suchen …</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>Suche läuft</translation>
    </message>
    <message>
        <source>Second r&amp;un</source>
        <translation>Zweiter La&amp;uf</translation>
    </message>
    <message>
        <source>Second run</source>
        <translation>Zweiter Lauf</translation>
    </message>
    <message>
        <source>Second run: %1</source>
        <translation>Zweiter Lauf: %1</translation>
    </message>
    <message>
        <source>Second&apos;s format</source>
        <translation>Format des zweiten</translation>
    </message>
    <message>
        <source>See the effect of every number format on a training run, one op call at a time.</source>
        <translation>Die Wirkung jedes Zahlenformats auf einen Trainingslauf sehen, einen Operatoraufruf nach dem anderen.</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Select a cast that an edit can remove.</source>
        <translation>Einen Cast auswählen, den eine Änderung beseitigen kann.</translation>
    </message>
    <message>
        <source>Select a change that keeps the step finite.</source>
        <translation>Eine Änderung auswählen, die den Schritt endlich hält.</translation>
    </message>
    <message>
        <source>Select a matrix product, linear or convolution among the op calls.</source>
        <translation>Wählen Sie unter den Operatoraufrufen ein Matrixprodukt, linear oder eine Faltung.</translation>
    </message>
    <message>
        <source>Select an event in the list, or click a mark in a chart, to see its cause and fixes.</source>
        <translation>Ein Ereignis in der Liste auswählen oder eine Marke in einem Diagramm anklicken, um Ursache und Korrekturen zu sehen.</translation>
    </message>
    <message>
        <source>Selected cast</source>
        <translation>Ausgewählter Cast</translation>
    </message>
    <message>
        <source>Selected entry</source>
        <translation>Ausgewählter Eintrag</translation>
    </message>
    <message>
        <source>Selected format</source>
        <translation>Gewähltes Format</translation>
    </message>
    <message>
        <source>Selected op call</source>
        <translation>Ausgewählter Operatoraufruf</translation>
    </message>
    <message>
        <source>Selected op calls follow the base &amp;list</source>
        <translation>Ausgewählte Operatoraufrufe der Basis&amp;liste folgen lassen</translation>
    </message>
    <message>
        <source>Selected op calls to &amp;bfloat16</source>
        <translation>Ausgewählte Operatoraufrufe auf &amp;bfloat16</translation>
    </message>
    <message>
        <source>Selected op calls to &amp;float16</source>
        <translation>Ausgewählte Operatoraufrufe auf &amp;float16</translation>
    </message>
    <message>
        <source>Selected op calls to float&amp;32</source>
        <translation>Ausgewählte Operatoraufrufe auf float&amp;32</translation>
    </message>
    <message>
        <source>Selected operand</source>
        <translation>Ausgewählter Operand</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihen</translation>
    </message>
    <message>
        <source>Set a limit: minutes, tries or both.</source>
        <translation>Eine Grenze setzen: Minuten, Versuche oder beides.</translation>
    </message>
    <message>
        <source>Set every %1</source>
        <translation>Jeden %1 setzen</translation>
    </message>
    <message>
        <source>Set format</source>
        <translation>Format setzen</translation>
    </message>
    <message>
        <source>Set format of %1</source>
        <translation>Format von %1 setzen</translation>
    </message>
    <message>
        <source>Set format of %1 op calls</source>
        <translation>Format von %1 Operatoraufrufen setzen</translation>
    </message>
    <message>
        <source>Set format…</source>
        <translation>Format setzen …</translation>
    </message>
    <message>
        <source>Set scale</source>
        <translation>Skalierung setzen</translation>
    </message>
    <message>
        <source>Set the format of the selected op calls</source>
        <translation>Format der ausgewählten Operatoraufrufe setzen</translation>
    </message>
    <message>
        <source>Set the run&apos;s loss scale to the what-if scale</source>
        <translation>Die Loss-Skalierung des Laufs auf die What-if-Skalierung setzen</translation>
    </message>
    <message>
        <source>Set-up</source>
        <translation>Einrichten</translation>
    </message>
    <message>
        <source>Sets all selected op calls, as one undo step</source>
        <translation>Setzt alle ausgewählten Operatoraufrufe, als ein Rückgängig-Schritt</translation>
    </message>
    <message>
        <source>Sets the loss scale from the next step, as one undo step.</source>
        <translation>Setzt die Loss-Skalierung ab dem nächsten Schritt, als ein Rückgängig-Schritt.</translation>
    </message>
    <message>
        <source>Sets the loss scale of the run from the next step</source>
        <translation>Setzt die Loss-Skalierung des Laufs ab dem nächsten Schritt</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Several gradients are added here. Each was finite, but their sum is too large for the format.</source>
        <translation>Hier werden mehrere Gradienten addiert. Jeder war endlich, aber ihre Summe ist zu groß für das Format.</translation>
    </message>
    <message>
        <source>SHA-256</source>
        <translation>SHA-256</translation>
    </message>
    <message>
        <source>SHA-256 of the file: %1. The trust is remembered for this content; a changed file is asked about again.</source>
        <translation>SHA-256 der Datei: %1. Das Vertrauen wird für diesen Inhalt gespeichert; bei einer geänderten Datei wird wieder gefragt.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Shape of one example: 1, 28, 28. Write [] for a single number. Empty: the shape in the file.</source>
        <translation>Form eines Beispiels: 1, 28, 28. [] für eine einzelne Zahl. Leer: die Form in der Datei.</translation>
    </message>
    <message>
        <source>Share of a tensor&apos;s norm in values that become 0: %1.</source>
        <translation>Anteil der Tensornorm in Werten, die 0 werden: %1.</translation>
    </message>
    <message>
        <source>Share of its kernels&apos; cycles in which tensor pipes are active</source>
        <translation>Anteil der Takte seiner Kernel, in denen Tensor-Pipelines aktiv sind</translation>
    </message>
    <message>
        <source>Share of steps in which it was busy longer than every other rank</source>
        <translation>Anteil der Schritte, in denen er länger beschäftigt war als jeder andere Rang</translation>
    </message>
    <message>
        <source>Share of the blocks in which every value became 0</source>
        <translation>Anteil der Blöcke, in denen jeder Wert 0 wurde</translation>
    </message>
    <message>
        <source>Share of the blocks whose largest magnitude is at least 8 times the second largest: one value decides the scale of all others</source>
        <translation>Anteil der Blöcke, deren größter Betrag mindestens 8-mal der zweitgrößte ist: ein Wert bestimmt die Skala aller anderen</translation>
    </message>
    <message>
        <source>Share of the last update that is retained.</source>
        <translation>Anteil der letzten Aktualisierung, der erhalten bleibt.</translation>
    </message>
    <message>
        <source>Share of the learning rate at the last step.</source>
        <translation>Anteil der Lernrate beim letzten Schritt.</translation>
    </message>
    <message>
        <source>Share of the rows reserved for evaluations, selected with the seed. 0.1 is one in ten.</source>
        <translation>Anteil der Zeilen, die für Auswertungen zurückgehalten werden, mit dem Startwert ausgewählt. 0.1 ist eine von zehn.</translation>
    </message>
    <message>
        <source>Share of the update&apos;s norm in the lost elements</source>
        <translation>Anteil der verlorenen Elemente an der Norm der Aktualisierung</translation>
    </message>
    <message>
        <source>Share of the values other than 0 that are 0 after quantization</source>
        <translation>Anteil der von 0 verschiedenen Werte, die nach der Quantisierung 0 sind</translation>
    </message>
    <message>
        <source>Share of the values that exceed the format&apos;s largest number after scaling</source>
        <translation>Anteil der Werte, die nach der Skalierung die größte Zahl des Formats überschreiten</translation>
    </message>
    <message>
        <source>Share of time with busy tensor cores</source>
        <translation>Anteil der Zeit mit beschäftigten Tensorkernen</translation>
    </message>
    <message>
        <source>Shares by format</source>
        <translation>Anteile nach Format</translation>
    </message>
    <message>
        <source>Shift+F1</source>
        <translation>Umschalt+F1</translation>
    </message>
    <message>
        <source>short</source>
        <translation>kurz</translation>
    </message>
    <message>
        <source>Short lessons on number formats, loss scaling and autocast: predict, run, reveal, check. No GPU needed.</source>
        <translation>Kurze Lektionen über Zahlenformate, Loss-Skalierung und Autocast: vorhersagen, ausführen, aufdecken, prüfen. Keine GPU nötig.</translation>
    </message>
    <message>
        <source>Show a &amp;hint in each arrangement</source>
        <translation>In jeder Anordnung einen &amp;Hinweis zeigen</translation>
    </message>
    <message>
        <source>Show a training that was started by &quot;binade-engine train&quot; and still runs: its name, its run file or its process. With --connect, one of that computer. Closing the window does not stop it.</source>
        <translation>Ein Training zeigen, das mit &quot;binade-engine train&quot; gestartet wurde und noch läuft: sein Name, seine Laufdatei oder sein Prozess. Mit --connect eines auf jenem Rechner. Das Schließen des Fensters hält es nicht an.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Show all &amp;steps</source>
        <translation>Alle &amp;Schritte zeigen</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Show everything (F)</source>
        <translation>Alles zeigen (F)</translation>
    </message>
    <message>
        <source>Show figure</source>
        <translation>Abbildung zeigen</translation>
    </message>
    <message>
        <source>Show the &amp;hints again</source>
        <translation>&amp;Hinweise wieder zeigen</translation>
    </message>
    <message>
        <source>Show the comparison</source>
        <translation>Vergleich zeigen</translation>
    </message>
    <message>
        <source>Show the figure</source>
        <translation>Abbildung zeigen</translation>
    </message>
    <message>
        <source>Show the figure of this experiment beside the text</source>
        <translation>Die Abbildung dieses Experiments neben dem Text zeigen</translation>
    </message>
    <message>
        <source>Show the next part now</source>
        <translation>Den nächsten Teil jetzt zeigen</translation>
    </message>
    <message>
        <source>Show the numbers around the value (V)</source>
        <translation>Die Zahlen um den Wert zeigen (V)</translation>
    </message>
    <message>
        <source>Show the value</source>
        <translation>Den Wert zeigen</translation>
    </message>
    <message>
        <source>Show: </source>
        <translation>Zeigen: </translation>
    </message>
    <message>
        <source>Shown files</source>
        <translation>Gezeigte Dateien</translation>
    </message>
    <message>
        <source>Shown step</source>
        <translation>Gezeigter Schritt</translation>
    </message>
    <message>
        <source>Shows a training that was started by “binade-engine train”, on this computer or another one. It goes on when this window lets go of it, closes, or loses the connection. One window edits a training; any number watch it.</source>
        <translation>Zeigt ein Training, das mit „binade-engine train“ gestartet wurde, auf diesem oder einem anderen Rechner. Es läuft weiter, wenn dieses Fenster es loslässt, geschlossen wird oder die Verbindung verliert. Ein Fenster bearbeitet ein Training, beliebig viele sehen zu.</translation>
    </message>
    <message>
        <source>Shows only one run again</source>
        <translation>Zeigt wieder nur einen Lauf</translation>
    </message>
    <message>
        <source>Shows the folder above (Alt+Up, or Backspace in the list)</source>
        <translation>Zeigt den übergeordneten Ordner (Alt+Hoch oder Rücktaste in der Liste)</translation>
    </message>
    <message>
        <source>Shows the settings that are rarely changed too. Those that were changed are always shown.</source>
        <translation>Zeigt auch die selten geänderten Einstellungen. Geänderte werden immer gezeigt.</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>Gemischt</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>Vorzeichen</translation>
    </message>
    <message>
        <source>Sign: 1 means negative.</source>
        <translation>Vorzeichen: 1 bedeutet negativ.</translation>
    </message>
    <message>
        <source>Signal to noise</source>
        <translation>Signal-Rausch-Abstand</translation>
    </message>
    <message>
        <source>silent fault</source>
        <translation>stiller Fehler</translation>
    </message>
    <message>
        <source>Silent faults</source>
        <translation>Stille Fehler</translation>
    </message>
    <message>
        <source>Silent faults  %1</source>
        <translation>Stille Fehler  %1</translation>
    </message>
    <message>
        <source>Silent faults, worst first</source>
        <translation>Stille Fehler, schlimmster zuerst</translation>
    </message>
    <message>
        <source>since step %1</source>
        <translation>seit Schritt %1</translation>
    </message>
    <message>
        <source>Since the edit at step %1, no step has been skipped. The scale is now %2 and grows automatically.</source>
        <translation>Seit der Änderung bei Schritt %1 wurde kein Schritt übersprungen. Die Skalierung ist jetzt %2 und wächst von selbst.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Size of te&amp;xt</source>
        <translation>Te&amp;xtgröße</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>Skipped step&apos;s data</source>
        <translation>Daten des übersprungenen Schritts</translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation>Übersprungene Schritte</translation>
    </message>
    <message>
        <source>Skipped, sum of %1</source>
        <translation>Übersprungen, Summe aus %1</translation>
    </message>
    <message>
        <source>Slow link: less detail</source>
        <translation>Langsame Leitung: weniger Einzelheiten</translation>
    </message>
    <message>
        <source>slowest rank</source>
        <translation>langsamster Rang</translation>
    </message>
    <message>
        <source>solid: normal · hatched: subnormal</source>
        <translation>durchgezogen: normal · schraffiert: subnormal</translation>
    </message>
    <message>
        <source>solid: normal · hatched: subnormal · outlined: becomes 0</source>
        <translation>gefüllt: normal · schraffiert: subnormal · umrandet: wird 0</translation>
    </message>
    <message>
        <source>Some operations have no finite result for some inputs in any format. The logarithm of 0 is minus infinity, 1 divided by 0 is infinity, and 0 divided by 0 is NaN. The derivative of a square root at 0 is infinity. The loss scale does not change these results. Change the source of the inputs.</source>
        <translation>Manche Operationen haben für manche Eingaben in keinem Format ein endliches Ergebnis. Der Logarithmus von 0 ist minus unendlich, 1 geteilt durch 0 ist unendlich, und 0 geteilt durch 0 ist NaN. Die Ableitung einer Quadratwurzel bei 0 ist unendlich. Die Loss-Skalierung ändert an diesen Ergebnissen nichts. Die Quelle der Eingaben ändern.</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Squares of the values divided by squares of what quantization changed, in decibels. 6 dB are one bit. The list is ranked by it.</source>
        <translation>Quadrate der Werte geteilt durch die Quadrate dessen, was die Quantisierung geändert hat, in Dezibel. 6 dB sind ein Bit. Die Liste ist danach geordnet.</translation>
    </message>
    <message>
        <source>ssh does not know the key of %1 yet. Run ssh %1 once in a terminal, compare the key, and accept it.</source>
        <translation>ssh kennt den Schlüssel von %1 noch nicht. Starten Sie ssh %1 einmal in einem Terminal, vergleichen Sie den Schlüssel und nehmen Sie ihn an.</translation>
    </message>
    <message>
        <source>ssh must log in without a question. Load your key with ssh-add, or install it there with: ssh-copy-id %1</source>
        <translation>ssh muss sich ohne Rückfrage anmelden können. Laden Sie Ihren Schlüssel mit ssh-add, oder hinterlegen Sie ihn dort mit: ssh-copy-id %1</translation>
    </message>
    <message>
        <source>Stale by</source>
        <translation>Veraltet um</translation>
    </message>
    <message>
        <source>stale scale</source>
        <translation>veraltete Skalierung</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>Standardabweichung</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start a new run from the state of step %1?</source>
        <translation>Einen neuen Lauf vom Zustand des Schritts %1 aus starten?</translation>
    </message>
    <message>
        <source>Start a run, or open one, to edit formats.</source>
        <translation>Einen Lauf starten oder öffnen, um Formate zu ändern.</translation>
    </message>
    <message>
        <source>Start an engine that is not confined?</source>
        <translation>Eine Engine ohne Abschottung starten?</translation>
    </message>
    <message>
        <source>start at step %1</source>
        <translation>Start bei Schritt %1</translation>
    </message>
    <message>
        <source>Start it</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start it with the limits that exist</source>
        <translation>Mit den vorhandenen Grenzen starten</translation>
    </message>
    <message>
        <source>Start of the driver</source>
        <translation>Start des Treibers</translation>
    </message>
    <message>
        <source>Start or open a run.</source>
        <translation>Einen Lauf starten oder öffnen.</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>Startseite</translation>
    </message>
    <message>
        <source>Start the run again.</source>
        <translation>Den Lauf neu starten.</translation>
    </message>
    <message>
        <source>Start the run again; the set-up page gives it a run file.</source>
        <translation>Den Lauf neu starten; die Einrichtungsseite gibt ihm eine Laufdatei.</translation>
    </message>
    <message>
        <source>Start this lesson again</source>
        <translation>Diese Lektion neu beginnen</translation>
    </message>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Start with the default layout and settings. The stored ones are neither used nor changed, for example if the window does not start with them.</source>
        <translation>Mit Standardanordnung und Standardeinstellungen starten. Die gespeicherten werden weder verwendet noch geändert, etwa wenn das Fenster mit ihnen nicht startet.</translation>
    </message>
    <message>
        <source>Start-up: %1 is too high</source>
        <translation>Anlauf: %1 ist zu groß</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Gestartet</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Starts a new run from this checkpoint with the checkpoint&apos;s policy. Results are identical to the bit.</source>
        <translation>Startet einen neuen Lauf von diesem Checkpoint mit dessen Richtlinie. Die Ergebnisse sind bis aufs Bit gleich.</translation>
    </message>
    <message>
        <source>Starts a new run of this model with these settings. A run in progress is stopped first.</source>
        <translation>Startet einen neuen Lauf dieses Modells mit diesen Einstellungen. Ein laufender Lauf wird zuerst angehalten.</translation>
    </message>
    <message>
        <source>Starts the run (F5)</source>
        <translation>Startet den Lauf (F5)</translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation>Zustand des Laufs</translation>
    </message>
    <message>
        <source>Statistics of tensors left out: %1</source>
        <translation>Ausgelassene Statistiken von Tensoren: %1</translation>
    </message>
    <message>
        <source>Std. deviation</source>
        <translation>Std.-Abweichung</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Step %1 beside float32: %2 adds %3, which becomes %4 at %5.</source>
        <translation>Schritt %1 neben float32: %2 fügt %3 hinzu, was bei %5 zu %4 wird.</translation>
    </message>
    <message>
        <source>Step %1 beside float32: %2 adds the largest error, %3.</source>
        <translation>Schritt %1 neben float32: %2 fügt den größten Fehler hinzu, %3.</translation>
    </message>
    <message>
        <source>Step %1 beside float32: equal, but the float32 run also used other formats.</source>
        <translation>Schritt %1 neben float32: gleich, aber der float32-Lauf verwendete auch andere Formate.</translation>
    </message>
    <message>
        <source>Step %1 beside float32: equal.</source>
        <translation>Schritt %1 neben float32: gleich.</translation>
    </message>
    <message>
        <source>Step %1 beside step %2 of %3, its newest</source>
        <translation>Schritt %1 neben Schritt %2 von %3, dem neuesten dort</translation>
    </message>
    <message>
        <source>Step %1 is not finite. The training was stopped.</source>
        <translation>Schritt %1 ist nicht endlich. Das Training wurde angehalten.</translation>
    </message>
    <message>
        <source>Step %1 of both</source>
        <translation>Schritt %1 beider</translation>
    </message>
    <message>
        <source>Step %1 · %2 operands · %3 of %4 blocks ruled by one outlier</source>
        <translation>Schritt %1 · %2 Operanden · %3 von %4 Blöcken von einem Ausreißer bestimmt</translation>
    </message>
    <message>
        <source>Step %1 · loss %2 under the policy, %3 in float32 · loss scale %4 · %5 op calls added error</source>
        <translation>Schritt %1 · Loss %2 unter der Richtlinie, %3 in float32 · Loss-Skalierung %4 · %5 Operatoraufrufe fügten Fehler hinzu</translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
    <message>
        <source>step %1, not observed until then</source>
        <translation>Schritt %1, bis dahin nicht beobachtet</translation>
    </message>
    <message>
        <source>step %1, observed at %2</source>
        <translation>Schritt %1, beobachtet bei %2</translation>
    </message>
    <message>
        <source>Step %1. %2</source>
        <translation>Schritt %1. %2</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>Step %1: checkpoint</source>
        <translation>Schritt %1: Checkpoint</translation>
    </message>
    <message>
        <source>Step %1: largest %2</source>
        <translation>Schritt %1: größter %2</translation>
    </message>
    <message>
        <source>Step %1: the cursor of the charts</source>
        <translation>Schritt %1: die Marke der Diagramme</translation>
    </message>
    <message>
        <source>step skipped</source>
        <translation>Schritt übersprungen</translation>
    </message>
    <message>
        <source>Step skipped: a gradient of another scaler was not finite</source>
        <translation>Schritt übersprungen: ein Gradient eines anderen Skalierers war nicht endlich</translation>
    </message>
    <message>
        <source>Step skipped: a gradient was not finite</source>
        <translation>Schritt übersprungen: ein Gradient war nicht endlich</translation>
    </message>
    <message>
        <source>Step skipped: weights unchanged</source>
        <translation>Schritt übersprungen: Gewichte unverändert</translation>
    </message>
    <message>
        <source>step skipped: weights unchanged</source>
        <translation>Schritt übersprungen: Gewichte unverändert</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Steps %1 to %2: %3 × %4</source>
        <translation>Schritte %1 bis %2: %3 × %4</translation>
    </message>
    <message>
        <source>Steps between</source>
        <translation>Schritte dazwischen</translation>
    </message>
    <message>
        <source>Steps in a row without an overflow before the scale grows.</source>
        <translation>Schritte in Folge ohne Überlauf, bevor die Skalierung wächst.</translation>
    </message>
    <message>
        <source>Steps in which a tensor of the op call, or a cast for it, overflowed</source>
        <translation>Schritte, in denen ein Tensor des Operatoraufrufs oder ein Cast dafür überlief</translation>
    </message>
    <message>
        <source>Steps in which a tensor of this op call overflowed its format.</source>
        <translation>Schritte, in denen ein Tensor dieses Operatoraufrufs sein Format überlief.</translation>
    </message>
    <message>
        <source>Steps left out: %1</source>
        <translation>Ausgelassene Schritte: %1</translation>
    </message>
    <message>
        <source>Steps of each training</source>
        <translation>Schritte jedes Trainings</translation>
    </message>
    <message>
        <source>Steps of the lesson</source>
        <translation>Schritte der Lektion</translation>
    </message>
    <message>
        <source>Steps of the Try</source>
        <translation>Schritte des Versuchs</translation>
    </message>
    <message>
        <source>steps skipped</source>
        <translation>übersprungene Schritte</translation>
    </message>
    <message>
        <source>Steps that showed it, of the observed steps</source>
        <translation>Schritte, die ihn zeigten, von den beobachteten Schritten</translation>
    </message>
    <message>
        <source>Stop %1 for everybody?</source>
        <translation>%1 für alle anhalten?</translation>
    </message>
    <message>
        <source>Stop the run first.</source>
        <translation>Zuerst den Lauf anhalten.</translation>
    </message>
    <message>
        <source>Stop the run first. Its run file keeps all recorded steps. To see both runs, choose File › Second run.</source>
        <translation>Zuerst den Lauf anhalten. Seine Laufdatei behält alle aufgezeichneten Schritte. Um beide Läufe zu sehen, Datei › Zweiter Lauf wählen.</translation>
    </message>
    <message>
        <source>Stop the training</source>
        <translation>Training anhalten</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Stops reading the run file (Escape)</source>
        <translation>Bricht das Lesen der Laufdatei ab (Esc)</translation>
    </message>
    <message>
        <source>Subnormal</source>
        <translation>Subnormal</translation>
    </message>
    <message>
        <source>subnormal</source>
        <translation>subnormal</translation>
    </message>
    <message>
        <source>subnormal %1</source>
        <translation>subnormal %1</translation>
    </message>
    <message>
        <source>Subtracted from the values. One number for all, or one for each channel.</source>
        <translation>Wird von den Werten abgezogen. Eine Zahl für alle oder eine je Kanal.</translation>
    </message>
    <message>
        <source>Suggested action</source>
        <translation>Vorgeschlagene Aktion</translation>
    </message>
    <message>
        <source>Sum over %1 of %2 op calls whose time was measured.</source>
        <translation>Summe über %1 von %2 Operatoraufrufen, deren Zeit gemessen wurde.</translation>
    </message>
    <message>
        <source>Sum over the module&apos;s op calls.</source>
        <translation>Summe über die Operatoraufrufe des Moduls.</translation>
    </message>
    <message>
        <source>SVG image (*.svg)</source>
        <translation>SVG-Bild (*.svg)</translation>
    </message>
    <message>
        <source>T&amp;rusted models…</source>
        <translation>&amp;Vertraute Modelle…</translation>
    </message>
    <message>
        <source>Ta&amp;ke over editing</source>
        <translation>&amp;Bearbeitung übernehmen</translation>
    </message>
    <message>
        <source>Take %1 as the value</source>
        <translation>%1 als Wert nehmen</translation>
    </message>
    <message>
        <source>Take over editing</source>
        <translation>Bearbeitung übernehmen</translation>
    </message>
    <message>
        <source>Takes the training back to its state then. The policy stays as it is.</source>
        <translation>Bringt das Training auf seinen damaligen Zustand zurück. Die Richtlinie bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>Takes the wheels from a folder, without a network</source>
        <translation>Nimmt die Wheels aus einem Ordner, ohne Netz</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Tensor cores</source>
        <translation>Tensorkerne</translation>
    </message>
    <message>
        <source>Tensor cores active</source>
        <translation>Aktive Tensorkerne</translation>
    </message>
    <message>
        <source>tensor cores active</source>
        <translation>aktive Tensorkerne</translation>
    </message>
    <message>
        <source>tensor cores active, %1</source>
        <translation>aktive Tensorkerne, %1</translation>
    </message>
    <message>
        <source>Tensor cores are in use</source>
        <translation>Tensorkerne werden genutzt</translation>
    </message>
    <message>
        <source>Tensor cores cannot be measured here</source>
        <translation>Tensorkerne lassen sich hier nicht messen</translation>
    </message>
    <message>
        <source>Tensor cores need an NVIDIA GPU</source>
        <translation>Tensorkerne brauchen eine NVIDIA-GPU</translation>
    </message>
    <message>
        <source>Tensor cores per op call</source>
        <translation>Tensorkerne je Operatoraufruf</translation>
    </message>
    <message>
        <source>Tensor cores, float64</source>
        <translation>Tensor-Kerne, float64</translation>
    </message>
    <message>
        <source>Tensor cores, floating point</source>
        <translation>Tensor-Kerne, Gleitkomma</translation>
    </message>
    <message>
        <source>Tensor cores, int8</source>
        <translation>Tensor-Kerne, int8</translation>
    </message>
    <message>
        <source>Tensor cores: curve</source>
        <translation>Tensorkerne: Kurve</translation>
    </message>
    <message>
        <source>Tensor cores: curve and op calls</source>
        <translation>Tensorkerne: Kurve und Operatoraufrufe</translation>
    </message>
    <message>
        <source>Tensor shown</source>
        <translation>Gezeigter Tensor</translation>
    </message>
    <message>
        <source>tensor, in the colour of its format</source>
        <translation>Tensor, in der Farbe seines Formats</translation>
    </message>
    <message>
        <source>Tensor-core share over time (not shown, because it is unknown)</source>
        <translation>Tensorkern-Anteil über die Zeit (nicht gezeigt, weil unbekannt)</translation>
    </message>
    <message>
        <source>TensorBoard (a folder with an event file)</source>
        <translation>TensorBoard (ein Ordner mit einer Ereignisdatei)</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>Test-Loss</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>The answer is remembered. The settings can change it.</source>
        <translation>Die Antwort wird gespeichert. In den Einstellungen lässt sie sich ändern.</translation>
    </message>
    <message>
        <source>The argument of the op call, observed before its cast to the op call&apos;s format.</source>
        <translation>Das Argument des Operatoraufrufs, vor seinem Cast auf dessen Format beobachtet.</translation>
    </message>
    <message>
        <source>The argument&apos;s name in the model&apos;s forward.</source>
        <translation>Der Name des Arguments in forward des Modells.</translation>
    </message>
    <message>
        <source>The arguments had an error of up to %1, which alone causes %2.</source>
        <translation>Die Argumente hatten einen Fehler von bis zu %1, der allein %2 verursacht.</translation>
    </message>
    <message>
        <source>The arrow keys choose the block, the worst first.</source>
        <translation>Die Pfeiltasten wählen den Block, den schlechtesten zuerst.</translation>
    </message>
    <message>
        <source>the base list</source>
        <translation>die Basisliste</translation>
    </message>
    <message>
        <source>The base list decides for its op calls again, or another change does. One undo step (Del)</source>
        <translation>Für ihre Operatoraufrufe entscheidet wieder die Basisliste oder eine andere Änderung. Ein Rückgängig-Schritt (Entf)</translation>
    </message>
    <message>
        <source>The base list determines which ops run in the low format. You can change any op call during training.</source>
        <translation>Die Basisliste bestimmt, welche Operatoren im niedrigen Format laufen. Jeder Operatoraufruf lässt sich während des Trainings ändern.</translation>
    </message>
    <message>
        <source>The base list does not name this op.</source>
        <translation>Die Basisliste nennt diesen Operator nicht.</translation>
    </message>
    <message>
        <source>The base list does not name this op. It is composed of other ops, and each of these follows the list.</source>
        <translation>Die Basisliste nennt diesen Operator nicht. Er besteht aus anderen Operatoren, und jeder von ihnen folgt der Liste.</translation>
    </message>
    <message>
        <source>The batch contains a value that is not finite.</source>
        <translation>Der Batch enthält einen nicht endlichen Wert.</translation>
    </message>
    <message>
        <source>The batch contains an infinity or a NaN. The model did not produce this value, and no change of the model removes it.</source>
        <translation>Der Batch enthält ein Unendlich oder NaN. Das Modell hat diesen Wert nicht erzeugt, und keine Änderung des Modells beseitigt ihn.</translation>
    </message>
    <message>
        <source>The batch contains extreme values.</source>
        <translation>Der Batch enthält extreme Werte.</translation>
    </message>
    <message>
        <source>The cast of %1 overflows in %2</source>
        <translation>Der Cast von %1 läuft in %2 über</translation>
    </message>
    <message>
        <source>The cause of an overflow appears here.</source>
        <translation>Die Ursache eines Überlaufs erscheint hier.</translation>
    </message>
    <message>
        <source>The configuration of a run appears here.</source>
        <translation>Die Konfiguration eines Laufs erscheint hier.</translation>
    </message>
    <message>
        <source>The connection is there again.</source>
        <translation>Die Verbindung besteht wieder.</translation>
    </message>
    <message>
        <source>The connection is there again. The training was rewound meanwhile, and is shown as it is now.</source>
        <translation>Die Verbindung besteht wieder. Das Training wurde inzwischen zurückgespult und wird gezeigt, wie es jetzt ist.</translation>
    </message>
    <message>
        <source>The connection to %1 is lost. The training goes on.</source>
        <translation>Die Verbindung zu %1 ist verloren. Das Training läuft weiter.</translation>
    </message>
    <message>
        <source>The connection to %1 is lost; the training goes on.</source>
        <translation>Die Verbindung zu %1 ist verloren; das Training läuft weiter.</translation>
    </message>
    <message>
        <source>The connection to the training is lost.</source>
        <translation>Die Verbindung zum Training ist verloren.</translation>
    </message>
    <message>
        <source>The connection was ended to make it again.</source>
        <translation>Die Verbindung wurde beendet, um sie neu aufzubauen.</translation>
    </message>
    <message>
        <source>The cost is measured on pairs of neighbouring steps, one observed and one not. There are too few pairs.</source>
        <translation>Die Kosten werden an Paaren benachbarter Schritte gemessen, der eine beobachtet, der andere nicht. Es gibt zu wenige Paare.</translation>
    </message>
    <message>
        <source>The current loss scale. Type 2^17 or 131072 and press Return to change it.</source>
        <translation>Die aktuelle Loss-Skalierung. 2^17 oder 131072 eingeben und die Eingabetaste drücken, um sie zu ändern.</translation>
    </message>
    <message>
        <source>The default layout is shown. Arrange the docks and save it again under this name.</source>
        <translation>Die Standardanordnung wird gezeigt. Die Docks anordnen und wieder unter diesem Namen speichern.</translation>
    </message>
    <message>
        <source>The demo did not reach the required step within %1 s.</source>
        <translation>Die Vorführung erreichte den nötigen Schritt nicht innerhalb von %1 s.</translation>
    </message>
    <message>
        <source>The demo had no overflow event.</source>
        <translation>Die Vorführung hatte kein Überlaufereignis.</translation>
    </message>
    <message>
        <source>The demo has no op call in float16 to edit.</source>
        <translation>Die Vorführung hat keinen Operatoraufruf in float16, der sich ändern ließe.</translation>
    </message>
    <message>
        <source>The device&apos;s tensor-core use appears here, step by step.</source>
        <translation>Die Tensorkern-Nutzung des Geräts erscheint hier, Schritt für Schritt.</translation>
    </message>
    <message>
        <source>The diagnostics could not be written to %1: %2.</source>
        <translation>Die Diagnosedaten ließen sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The diagnostics were written to %1.</source>
        <translation>Die Diagnosedaten wurden nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>The difference of the loss in every step appears here.</source>
        <translation>Die Differenz des Loss in jedem Schritt erscheint hier.</translation>
    </message>
    <message>
        <source>The edited policy</source>
        <translation>Die geänderte Richtlinie</translation>
    </message>
    <message>
        <source>The edits are of %1. Recovering them changes no file.</source>
        <translation>Die Änderungen gehören zu %1. Sie wiederherzustellen ändert keine Datei.</translation>
    </message>
    <message>
        <source>The engine could not be started: %1 (%2).</source>
        <translation>Die Engine ließ sich nicht starten: %1 (%2).</translation>
    </message>
    <message>
        <source>The engine crashed (signal %1).</source>
        <translation>Die Engine ist abgestürzt (Signal %1).</translation>
    </message>
    <message>
        <source>The engine did not respond to %1 within %2 s.</source>
        <translation>Die Engine hat auf %1 nicht innerhalb von %2 s geantwortet.</translation>
    </message>
    <message>
        <source>The engine did not send the first %1 steps. The run file has them.</source>
        <translation>Die Engine hat die ersten %1 Schritte nicht gesendet. Die Laufdatei enthält sie.</translation>
    </message>
    <message>
        <source>The engine ended during the Try. Its measurements so far are kept.</source>
        <translation>Die Engine endete während des Versuchs. Seine bisherigen Messungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>The engine ended repeatedly. Your edits are kept. Restart it from the Run menu.</source>
        <translation>Die Engine endete mehrmals. Die Änderungen bleiben erhalten. Sie über das Menü Lauf neu starten.</translation>
    </message>
    <message>
        <source>The engine ended with exit code %1.</source>
        <translation>Die Engine endete mit dem Rückgabewert %1.</translation>
    </message>
    <message>
        <source>The engine ended without a result.</source>
        <translation>Die Engine endete ohne Ergebnis.</translation>
    </message>
    <message>
        <source>The engine ended without a result: nothing was written.</source>
        <translation>Die Engine endete ohne Ergebnis: Nichts wurde geschrieben.</translation>
    </message>
    <message>
        <source>The engine has not responded to %1 for %2 s.</source>
        <translation>Die Engine hat auf %1 seit %2 s nicht geantwortet.</translation>
    </message>
    <message>
        <source>The engine is of version %1 and uses protocol %2, but this program is of version %3 and uses protocol %4.</source>
        <translation>Die Engine hat Version %1 und Protokoll %2, dieses Programm aber Version %3 und Protokoll %4.</translation>
    </message>
    <message>
        <source>The engine may still do it. Restart the engine to be sure that it does not.</source>
        <translation>Die Engine kann es noch tun. Wird sie neu gestartet, tut sie es sicher nicht.</translation>
    </message>
    <message>
        <source>The engine of %1 computes on: %2</source>
        <translation>Die Engine von %1 rechnet auf: %2</translation>
    </message>
    <message>
        <source>The engine of %1 is used.</source>
        <translation>Die Engine von %1 wird verwendet.</translation>
    </message>
    <message>
        <source>The engine of this computer computes on: %1</source>
        <translation>Die Engine dieses Computers rechnet auf: %1</translation>
    </message>
    <message>
        <source>The engine of this computer did not list its trainings.</source>
        <translation>Die Engine dieses Rechners hat ihre Trainings nicht aufgelistet.</translation>
    </message>
    <message>
        <source>The engine of this computer is used.</source>
        <translation>Die Engine dieses Rechners wird verwendet.</translation>
    </message>
    <message>
        <source>The engine runs on %1, which reads models and data there. Policies, run descriptions and run files are read on this computer: copy the file here to open it.</source>
        <translation>Die Engine läuft auf %1 und liest Modelle und Daten dort. Richtlinien, Laufbeschreibungen und Laufdateien werden auf diesem Rechner gelesen: Die Datei hierher kopieren, um sie zu öffnen.</translation>
    </message>
    <message>
        <source>The engine runs on %1. Names of files are names on that computer: type them, since the buttons show the files of this one.</source>
        <translation>Die Engine läuft auf %1. Dateinamen sind Namen auf jenem Rechner: Sie eintippen, denn die Schaltflächen zeigen die Dateien von diesem.</translation>
    </message>
    <message>
        <source>The engine runs on %1: names of models and data are names of files there.</source>
        <translation>Die Engine läuft auf %1: Namen von Modellen und Daten sind Namen von dortigen Dateien.</translation>
    </message>
    <message>
        <source>The engine runs on another computer. Run binade-engine probe there.</source>
        <translation>Die Engine läuft auf einem anderen Rechner. Dort binade-engine probe ausführen.</translation>
    </message>
    <message>
        <source>The engine runs on another machine, and would write the file there. Run binade-engine export on that machine.</source>
        <translation>Die Engine läuft auf einem anderen Rechner und würde die Datei dort schreiben. Dort binade-engine export ausführen.</translation>
    </message>
    <message>
        <source>The engine runs on another machine, which has the files of the run. Run binade-engine search on that machine.</source>
        <translation>Die Engine läuft auf einem anderen Rechner, der die Dateien des Laufs hat. Dort binade-engine search ausführen.</translation>
    </message>
    <message>
        <source>The engine runs on another machine, which has the run&apos;s data. Run binade-engine try on that machine.</source>
        <translation>Die Engine läuft auf einem anderen Rechner, der die Daten des Laufs hat. Dort binade-engine try ausführen.</translation>
    </message>
    <message>
        <source>The engine sent a part of %1 that does not fit.</source>
        <translation>Die Engine hat einen Teil von %1 gesendet, der nicht passt.</translation>
    </message>
    <message>
        <source>The engine sent an invalid %1 message, which was ignored: %2</source>
        <translation>Die Engine sandte eine ungültige Nachricht %1, die ignoriert wurde: %2</translation>
    </message>
    <message>
        <source>The engine started a run with inconsistent data. %1</source>
        <translation>Die Engine startete einen Lauf mit widersprüchlichen Daten. %1</translation>
    </message>
    <message>
        <source>The engine was restarted.</source>
        <translation>Die Engine wurde neu gestartet.</translation>
    </message>
    <message>
        <source>The engine was restarted. No data was lost.</source>
        <translation>Die Engine wurde neu gestartet. Keine Daten gingen verloren.</translation>
    </message>
    <message>
        <source>The engine was restarted. Your edits are kept. The last checkpoint is at step %1.</source>
        <translation>Die Engine wurde neu gestartet. Die Änderungen bleiben erhalten. Der letzte Checkpoint ist bei Schritt %1.</translation>
    </message>
    <message>
        <source>The engine was restarted. Your edits are kept; restart the run to apply them.</source>
        <translation>Die Engine wurde neu gestartet. Die Änderungen bleiben erhalten; den Lauf neu starten, um sie anzuwenden.</translation>
    </message>
    <message>
        <source>The engine was shut down.</source>
        <translation>Die Engine wurde beendet.</translation>
    </message>
    <message>
        <source>The engine&apos;s output does not follow Binade&apos;s protocol: %1</source>
        <translation>Die Ausgabe der Engine folgt nicht Binades Protokoll: %1</translation>
    </message>
    <message>
        <source>The engine&apos;s response could not be read: %1</source>
        <translation>Die Antwort der Engine ließ sich nicht lesen: %1</translation>
    </message>
    <message>
        <source>The engine&apos;s response to %1 is not valid. The log has details.</source>
        <translation>Die Antwort der Engine auf %1 ist ungültig. Das Protokoll nennt Einzelheiten.</translation>
    </message>
    <message>
        <source>The engine&apos;s response to engine.hello could not be read: %1</source>
        <translation>Die Antwort der Engine auf engine.hello ließ sich nicht lesen: %1</translation>
    </message>
    <message>
        <source>The engine&apos;s result could not be read: %1</source>
        <translation>Das Ergebnis der Engine ließ sich nicht lesen: %1</translation>
    </message>
    <message>
        <source>The evaluation to hold is not a number.</source>
        <translation>Die zu haltende Auswertung ist keine Zahl.</translation>
    </message>
    <message>
        <source>The event was written to %1.</source>
        <translation>Das Ereignis wurde nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>The exponents of a gradient appear here after the first step that records histograms.</source>
        <translation>Die Exponenten eines Gradienten erscheinen hier nach dem ersten Schritt, der Histogramme aufzeichnet.</translation>
    </message>
    <message>
        <source>The export was cancelled. No file was written.</source>
        <translation>Der Export wurde abgebrochen. Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
        <source>The export was cancelled: no file was written.</source>
        <translation>Der Export wurde abgebrochen: Es wurde keine Datei geschrieben.</translation>
    </message>
    <message>
        <source>The exported file is complete and has the first of these names.</source>
        <translation>Die exportierte Datei ist vollständig und hat den ersten dieser Namen.</translation>
    </message>
    <message>
        <source>The figure</source>
        <translation>Die Abbildung</translation>
    </message>
    <message>
        <source>The figure appears after the first observed step of the experiment.</source>
        <translation>Die Abbildung erscheint nach dem ersten beobachteten Schritt des Experiments.</translation>
    </message>
    <message>
        <source>The figure in words and numbers</source>
        <translation>Die Abbildung in Worten und Zahlen</translation>
    </message>
    <message>
        <source>The figure in words: %1</source>
        <translation>Die Abbildung in Worten: %1</translation>
    </message>
    <message>
        <source>The figure is covered</source>
        <translation>Die Abbildung ist verdeckt</translation>
    </message>
    <message>
        <source>The figure moves a histogram by whole binades, so it needs a power of two.</source>
        <translation>Die Abbildung bewegt ein Histogramm um ganze Binaden und braucht daher eine Zweierpotenz.</translation>
    </message>
    <message>
        <source>The figures rest on %1 of %2 steps: those that all three trainings have, with a finite loss.</source>
        <translation>Die Zahlen beruhen auf %1 von %2 Schritten: denen, die alle drei Trainings haben, mit endlichem Loss.</translation>
    </message>
    <message>
        <source>The figures rest on %1 of %2 steps: those that both policies have.</source>
        <translation>Die Zahlen beruhen auf %1 von %2 Schritten: denen, die beide Richtlinien haben.</translation>
    </message>
    <message>
        <source>The figures rest on %1 of %2 steps: those that the policy before has.</source>
        <translation>Die Zahlen beruhen auf %1 von %2 Schritten: denen, die die Richtlinie vorher hat.</translation>
    </message>
    <message>
        <source>The file also sets the loss scaler, which belongs to the run and stays as it is.</source>
        <translation>Die Datei setzt auch den Loss-Skalierer, der zum Lauf gehört und bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>The file has more than 1 MiB.</source>
        <translation>Die Datei hat mehr als 1 MiB.</translation>
    </message>
    <message>
        <source>The file is damaged. The rest could not be read.</source>
        <translation>Die Datei ist beschädigt. Der Rest ließ sich nicht lesen.</translation>
    </message>
    <message>
        <source>The file may have been moved or renamed.</source>
        <translation>Die Datei wurde vielleicht verschoben oder umbenannt.</translation>
    </message>
    <message>
        <source>The file was read as %1; the filter of the file dialog selects the format.</source>
        <translation>Die Datei wurde als %1 gelesen; der Filter des Dateidialogs wählt das Format.</translation>
    </message>
    <message>
        <source>The first results appear after the next steps.</source>
        <translation>Die ersten Ergebnisse erscheinen nach den nächsten Schritten.</translation>
    </message>
    <message>
        <source>The first samples appear after the next steps.</source>
        <translation>Die ersten Stichproben erscheinen nach den nächsten Schritten.</translation>
    </message>
    <message>
        <source>The first that failed is the reason.</source>
        <translation>Die erste, die fehlschlug, ist der Grund.</translation>
    </message>
    <message>
        <source>The fix was not applied.</source>
        <translation>Die Abhilfe wurde nicht angewandt.</translation>
    </message>
    <message>
        <source>The folder %1 could not be created.</source>
        <translation>Der Ordner %1 ließ sich nicht anlegen.</translation>
    </message>
    <message>
        <source>the folder cannot be written</source>
        <translation>der Ordner ist nicht beschreibbar</translation>
    </message>
    <message>
        <source>The folder has one table for steps, events, op calls and gradients each.</source>
        <translation>Der Ordner enthält je eine Tabelle für Schritte, Ereignisse, Operatoraufrufe und Gradienten.</translation>
    </message>
    <message>
        <source>The format of an op call could not be set.</source>
        <translation>Das Format eines Operatoraufrufs ließ sich nicht setzen.</translation>
    </message>
    <message>
        <source>The format whose bits are typed and whose numbers the buttons step through</source>
        <translation>Das Format, dessen Bits eingegeben werden und durch dessen Zahlen die Schaltflächen gehen</translation>
    </message>
    <message>
        <source>The GPU driver does not work</source>
        <translation>Der GPU-Treiber funktioniert nicht</translation>
    </message>
    <message>
        <source>The gradient that the following op calls propagate to this output, multiplied by the loss scale.</source>
        <translation>Der Gradient, den die folgenden Operatoraufrufe an diese Ausgabe weitergeben, multipliziert mit der Loss-Skalierung.</translation>
    </message>
    <message>
        <source>The gradient that the op call&apos;s backward computes for this argument, multiplied by the loss scale.</source>
        <translation>Der Gradient, den der Rückwärtslauf des Operatoraufrufs für dieses Argument berechnet, multipliziert mit der Loss-Skalierung.</translation>
    </message>
    <message>
        <source>The gradient that the optimizer receives: the sum of all gradients of the parameter, divided by the loss scale.</source>
        <translation>Der Gradient, den der Optimierer erhält: die Summe aller Gradienten des Parameters, geteilt durch die Loss-Skalierung.</translation>
    </message>
    <message>
        <source>The gradients of all outputs in step %1,</source>
        <translation>Die Gradienten aller Ausgaben in Schritt %1,</translation>
    </message>
    <message>
        <source>The gradients of all weights in step %1,</source>
        <translation>Die Gradienten aller Gewichte in Schritt %1,</translation>
    </message>
    <message>
        <source>The gradients were multiplied by the loss scale, %1. The scaler checks all gradients before the update. It found this one, skipped the update, and lowered the scale to %2.</source>
        <translation>Die Gradienten wurden mit der Loss-Skalierung %1 multipliziert. Der Skalierer prüft alle Gradienten vor der Aktualisierung. Er fand diesen, übersprang die Aktualisierung und senkte die Skalierung auf %2.</translation>
    </message>
    <message>
        <source>The initial loss scale was too high. Each overflow skipped a step and lowered the scale, until the gradients fitted.</source>
        <translation>Die anfängliche Loss-Skalierung war zu hoch. Jeder Überlauf übersprang einen Schritt und senkte die Skalierung, bis die Gradienten passten.</translation>
    </message>
    <message>
        <source>The installation was cancelled.</source>
        <translation>Die Installation wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The interval reaches beyond the noise, so a larger difference is possible.</source>
        <translation>Das Intervall reicht über das Rauschen hinaus; ein größerer Unterschied ist also möglich.</translation>
    </message>
    <message>
        <source>The interval reaches beyond what counts as equal, so a larger difference is possible.</source>
        <translation>Das Intervall reicht über das hinaus, was als gleich gilt; ein größerer Unterschied ist also möglich.</translation>
    </message>
    <message>
        <source>The largest loss on the test data that a policy may reach</source>
        <translation>Der größte Loss auf den Testdaten, den eine Richtlinie erreichen darf</translation>
    </message>
    <message>
        <source>The largest magnitude at the first cause, before the rounding that overflowed</source>
        <translation>Der größte Betrag bei der ersten Ursache, vor der Rundung, die überlief</translation>
    </message>
    <message>
        <source>The largest of the module&apos;s op calls.</source>
        <translation>Der größte der Operatoraufrufe des Moduls.</translation>
    </message>
    <message>
        <source>The largest value here was %1 before rounding. It was too large by %2 doublings.</source>
        <translation>Der größte Wert war hier vor der Rundung %1. Er war um %2 Verdopplungen zu groß.</translation>
    </message>
    <message>
        <source>The largest value here was %1 before rounding. It was too large by less than one doubling.</source>
        <translation>Der größte Wert war hier vor der Rundung %1. Er war um weniger als eine Verdopplung zu groß.</translation>
    </message>
    <message>
        <source>The largest value is %1 doublings below what the scale represents.</source>
        <translation>Der größte Wert liegt %1 Verdopplungen unter dem, was die Skala darstellt.</translation>
    </message>
    <message>
        <source>The layers from which this shape is derived. Sizes that no layer determines have usual values.</source>
        <translation>Die Schichten, aus denen diese Form abgeleitet ist. Größen, die keine Schicht bestimmt, haben übliche Werte.</translation>
    </message>
    <message>
        <source>The layout %1 was saved by another version of Binade.</source>
        <translation>Die Anordnung %1 wurde von einer anderen Version von Binade gespeichert.</translation>
    </message>
    <message>
        <source>The layout was saved as %1.</source>
        <translation>Die Anordnung wurde als %1 gespeichert.</translation>
    </message>
    <message>
        <source>The learning rate is %1.</source>
        <translation>Die Lernrate ist %1.</translation>
    </message>
    <message>
        <source>The learning rate is multiplied by this factor at each change.</source>
        <translation>Die Lernrate wird bei jeder Änderung mit diesem Faktor multipliziert.</translation>
    </message>
    <message>
        <source>The learning rate is too high. The same steps also diverge in float32.</source>
        <translation>Die Lernrate ist zu hoch. Dieselben Schritte divergieren auch in float32.</translation>
    </message>
    <message>
        <source>The learning rate of every step appears here.</source>
        <translation>Die Lernrate jedes Schritts erscheint hier.</translation>
    </message>
    <message>
        <source>The least, of %1.</source>
        <translation>Das Minimum, von %1.</translation>
    </message>
    <message>
        <source>The lesson</source>
        <translation>Die Lektion</translation>
    </message>
    <message>
        <source>The lesson cannot be read: %1.</source>
        <translation>Die Lektion lässt sich nicht lesen: %1.</translation>
    </message>
    <message>
        <source>The lesson has problems. They are listed beside this.</source>
        <translation>Die Lektion hat Probleme. Sie sind daneben aufgelistet.</translation>
    </message>
    <message>
        <source>The lessons have the numbers 1 to %1.</source>
        <translation>Die Lektionen haben die Nummern 1 bis %1.</translation>
    </message>
    <message>
        <source>The library for GPU counters is incompatible</source>
        <translation>Die Bibliothek für GPU-Zähler passt nicht zur Version</translation>
    </message>
    <message>
        <source>The library for GPU counters is missing</source>
        <translation>Die Bibliothek für GPU-Zähler fehlt</translation>
    </message>
    <message>
        <source>The link to %1 is slow, so the engine leaves out details. The run file has them all.</source>
        <translation>Die Leitung zu %1 ist langsam, deshalb lässt die Engine Einzelheiten weg. Die Laufdatei enthält alle.</translation>
    </message>
    <message>
        <source>The link to %1 is slow: messages wait %2. The engine sends less until they do not.</source>
        <translation>Die Leitung zu %1 ist langsam: Nachrichten warten %2. Die Engine sendet weniger, bis sie nicht mehr warten.</translation>
    </message>
    <message>
        <source>The link to %1 was slow for a while.</source>
        <translation>Die Leitung zu %1 war eine Zeit lang langsam.</translation>
    </message>
    <message>
        <source>The list is being read.</source>
        <translation>Die Liste wird gelesen.</translation>
    </message>
    <message>
        <source>The log has details.</source>
        <translation>Das Protokoll nennt Einzelheiten.</translation>
    </message>
    <message>
        <source>The loss and all gradients are checked on every step, independent of these settings</source>
        <translation>Der Loss und alle Gradienten werden unabhängig von diesen Einstellungen in jedem Schritt geprüft</translation>
    </message>
    <message>
        <source>The loss is multiplied by this number, so that small gradients do not become 0 in float16, and the gradients are divided by it before the optimizer uses them. The scaler lowers it after an overflow and raises it after a number of good steps. The shaded band of the chart holds the scales at which no gradient overflows or loses more than 1 % of its norm.</source>
        <translation>Der Loss wird mit dieser Zahl multipliziert, damit kleine Gradienten in float16 nicht 0 werden; die Gradienten werden durch sie geteilt, bevor der Optimierer sie verwendet. Nach einem Überlauf wird sie gesenkt und nach einer Anzahl guter Schritte erhöht. Das schattierte Band des Diagramms enthält die Skalierungen, bei denen kein Gradient überläuft oder mehr als 1 % seiner Norm verliert.</translation>
    </message>
    <message>
        <source>The loss itself is not finite, so no loss scale helps. Diagnose shows the first cause and the fixes tried.</source>
        <translation>Der Loss selbst ist nicht endlich, daher hilft keine Loss-Skalierung. Diagnose zeigt die erste Ursache und die versuchten Korrekturen.</translation>
    </message>
    <message>
        <source>The loss itself is not finite, so the gradients computed from it are not finite either.</source>
        <translation>Der Loss selbst ist nicht endlich, daher sind es auch die daraus berechneten Gradienten nicht.</translation>
    </message>
    <message>
        <source>The loss needs about %1 steps to tell more.</source>
        <translation>Der Loss braucht etwa %1 Schritte, um mehr zu sagen.</translation>
    </message>
    <message>
        <source>The loss of every step appears here.</source>
        <translation>Der Loss jedes Schritts erscheint hier.</translation>
    </message>
    <message>
        <source>The loss on the test data is shown, but not judged</source>
        <translation>Der Loss auf den Testdaten wird gezeigt, aber nicht beurteilt</translation>
    </message>
    <message>
        <source>The loss rose far above its earlier values. Often the gradient of one batch was so large that the step overshot. The running averages of the optimizer can then prolong the spike over many steps.</source>
        <translation>Der Loss stieg weit über seine früheren Werte. Oft war der Gradient eines Batchs so groß, dass der Schritt über das Ziel hinausschoss. Die laufenden Mittel des Optimierers können den Ausbruch dann über viele Schritte verlängern.</translation>
    </message>
    <message>
        <source>The loss scale %1 is not a power of two.</source>
        <translation>Die Loss-Skalierung %1 ist keine Zweierpotenz.</translation>
    </message>
    <message>
        <source>The loss scale has fallen below 1.</source>
        <translation>Die Loss-Skalierung ist unter 1 gefallen.</translation>
    </message>
    <message>
        <source>The loss scale has since fallen to %1. It grows once in %2 clean steps. You can set it beside its chart.</source>
        <translation>Die Loss-Skalierung ist seither auf %1 gefallen. Sie wächst einmal in %2 fehlerfreien Schritten. Sie lässt sich neben ihrem Diagramm setzen.</translation>
    </message>
    <message>
        <source>The loss scale is %1.</source>
        <translation>Die Loss-Skalierung ist %1.</translation>
    </message>
    <message>
        <source>The loss scale is too high for this batch and cannot fall.</source>
        <translation>Die Loss-Skalierung ist für diesen Batch zu hoch und kann nicht fallen.</translation>
    </message>
    <message>
        <source>The loss scale of a run with a gradient scaler appears here, step by step.</source>
        <translation>Die Loss-Skalierung eines Laufs mit Gradientenskalierer erscheint hier, Schritt für Schritt.</translation>
    </message>
    <message>
        <source>The loss scale of every step appears here, with skips, back-off and growth.</source>
        <translation>Die Loss-Skalierung jedes Schritts erscheint hier, mit übersprungenen Schritten, Rücknahme und Wachstum.</translation>
    </message>
    <message>
        <source>The loss scale was below 1 until step %1.</source>
        <translation>Die Loss-Skalierung lag bis Schritt %1 unter 1.</translation>
    </message>
    <message>
        <source>The loss scale was not changed.</source>
        <translation>Die Loss-Skalierung wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The measured gradients and the range of %1</source>
        <translation>Die gemessenen Gradienten und der Bereich von %1</translation>
    </message>
    <message>
        <source>The model keeps this tensor between steps, as a batch norm keeps its running mean. An infinity or NaN in it remains there. A skipped step leaves the weights unchanged, but does not undo what the forward pass wrote.</source>
        <translation>Das Modell behält diesen Tensor zwischen den Schritten, wie eine Batch-Norm ihr laufendes Mittel. Ein Unendlich oder NaN darin bleibt dort. Ein übersprungener Schritt lässt die Gewichte unverändert, macht aber nicht rückgängig, was der Vorwärtslauf geschrieben hat.</translation>
    </message>
    <message>
        <source>The model was saved to %1 with its current weights.</source>
        <translation>Das Modell wurde mit seinen aktuellen Gewichten nach %1 gespeichert.</translation>
    </message>
    <message>
        <source>The model was saved to %1 with the final weights of the run.</source>
        <translation>Das Modell wurde mit den endgültigen Gewichten des Laufs nach %1 gespeichert.</translation>
    </message>
    <message>
        <source>The model with the policy&apos;s casts in it, compared with the engine to the bit.</source>
        <translation>Das Modell mit den Casts der Richtlinie darin, bis aufs Bit mit der Engine verglichen.</translation>
    </message>
    <message>
        <source>The models that open although checks refuse their code</source>
        <translation>Die Modelle, die sich öffnen lassen, obwohl Prüfungen ihren Code ablehnen</translation>
    </message>
    <message>
        <source>The modules of a model appear here when its run starts.</source>
        <translation>Die Module eines Modells erscheinen hier, wenn sein Lauf startet.</translation>
    </message>
    <message>
        <source>The newest edit changed the scaler. Checkpoints are saved only before edits of the policy.</source>
        <translation>Die neueste Änderung betraf den Skalierer. Checkpoints werden nur vor Änderungen der Richtlinie gespeichert.</translation>
    </message>
    <message>
        <source>The newest step, %1</source>
        <translation>Der neueste Schritt, %1</translation>
    </message>
    <message>
        <source>The next one continues the download.</source>
        <translation>Die nächste setzt den Download fort.</translation>
    </message>
    <message>
        <source>The norm of all unscaled gradients appears here.</source>
        <translation>Die Norm aller zurückskalierten Gradienten erscheint hier.</translation>
    </message>
    <message>
        <source>The note on step %1 is not saved: there is no run file %2 on this computer.</source>
        <translation>Die Notiz zu Schritt %1 ist nicht gespeichert: Auf diesem Rechner gibt es keine Laufdatei %2.</translation>
    </message>
    <message>
        <source>The note stays in the window until the run is closed.</source>
        <translation>Die Notiz bleibt im Fenster, bis der Lauf geschlossen wird.</translation>
    </message>
    <message>
        <source>The op calls of a model appear here when its run starts.</source>
        <translation>Die Operatoraufrufe eines Modells erscheinen hier, wenn sein Lauf startet.</translation>
    </message>
    <message>
        <source>The op calls that the change decides for</source>
        <translation>Die Operatoraufrufe, für die die Änderung entscheidet</translation>
    </message>
    <message>
        <source>The operand&apos;s format under the policy</source>
        <translation>Format des Operanden unter der Richtlinie</translation>
    </message>
    <message>
        <source>The operation has no finite result for its inputs.</source>
        <translation>Die Operation hat für ihre Eingaben kein endliches Ergebnis.</translation>
    </message>
    <message>
        <source>the optimizer&apos;s %1 is too coarse</source>
        <translation>%1 des Optimierers ist zu grob</translation>
    </message>
    <message>
        <source>The output of forward that the loss takes: empty, [0], logits, out.aux. Separate several with commas.</source>
        <translation>Die Ausgabe von forward, die der Loss nimmt: leer, [0], logits, out.aux. Mehrere durch Kommas trennen.</translation>
    </message>
    <message>
        <source>The output of the op call in the forward pass.</source>
        <translation>Die Ausgabe des Operatoraufrufs im Vorwärtslauf.</translation>
    </message>
    <message>
        <source>the policies differ in %1 places</source>
        <translation>die Richtlinien unterscheiden sich an %1 Stellen</translation>
    </message>
    <message>
        <source>the policies differ in one place</source>
        <translation>die Richtlinien unterscheiden sich an einer Stelle</translation>
    </message>
    <message>
        <source>the policy</source>
        <translation>die Richtlinie</translation>
    </message>
    <message>
        <source>The policy %1 and the run description %2 have unsaved edits.</source>
        <translation>Die Richtlinie %1 und die Laufbeschreibung %2 haben ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>The policy %1 has unsaved edits.</source>
        <translation>Die Richtlinie %1 hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>the policy %1 with %2 changes</source>
        <translation>die Richtlinie %1 mit %2 Änderungen</translation>
    </message>
    <message>
        <source>the policy %1 with 1 change</source>
        <translation>die Richtlinie %1 mit 1 Änderung</translation>
    </message>
    <message>
        <source>The policy already contains this change.</source>
        <translation>Die Richtlinie enthält diese Änderung schon.</translation>
    </message>
    <message>
        <source>The policy already contains this edit.</source>
        <translation>Die Richtlinie enthält diese Änderung schon.</translation>
    </message>
    <message>
        <source>The policy already contains this fix.</source>
        <translation>Die Richtlinie enthält diese Korrektur schon.</translation>
    </message>
    <message>
        <source>The policy could not be simplified: %1.</source>
        <translation>Die Richtlinie ließ sich nicht vereinfachen: %1.</translation>
    </message>
    <message>
        <source>The policy could not be written to %1: %2.</source>
        <translation>Die Richtlinie ließ sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The policy has %1 rules and op changes, before %2.</source>
        <translation>Die Richtlinie hat %1 Regeln und Operatoränderungen, vorher %2.</translation>
    </message>
    <message>
        <source>The policy has no changes.</source>
        <translation>Die Richtlinie hat keine Änderungen.</translation>
    </message>
    <message>
        <source>The policy has not been edited.</source>
        <translation>Die Richtlinie wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The policy has unsaved changes</source>
        <translation>Die Richtlinie hat ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>The policy in force at the shown step</source>
        <translation>Die beim gezeigten Schritt geltende Richtlinie</translation>
    </message>
    <message>
        <source>The policy is in force.</source>
        <translation>Die Richtlinie gilt.</translation>
    </message>
    <message>
        <source>The policy of the run</source>
        <translation>Die Richtlinie des Laufs</translation>
    </message>
    <message>
        <source>The policy stays as it is now.</source>
        <translation>Die Richtlinie bleibt, wie sie jetzt ist.</translation>
    </message>
    <message>
        <source>The policy stays as it is.</source>
        <translation>Die Richtlinie bleibt, wie sie ist.</translation>
    </message>
    <message>
        <source>The policy treats these op calls so already.</source>
        <translation>Die Richtlinie behandelt diese Operatoraufrufe schon so.</translation>
    </message>
    <message>
        <source>The policy was edited while %1 was read, so it was not opened.</source>
        <translation>Die Richtlinie wurde geändert, während %1 gelesen wurde; daher wurde es nicht geöffnet.</translation>
    </message>
    <message>
        <source>The policy was edited while its rules were compared, so it stays as it is.</source>
        <translation>Die Richtlinie wurde geändert, während ihre Regeln verglichen wurden; daher bleibt sie, wie sie ist.</translation>
    </message>
    <message>
        <source>The policy was not changed.</source>
        <translation>Die Richtlinie wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The preview shows the first %1 characters. Copy and Save use the whole text.</source>
        <translation>Die Vorschau zeigt die ersten %1 Zeichen. Kopieren und Speichern verwenden den ganzen Text.</translation>
    </message>
    <message>
        <source>The preview shows the first %1 of %2 lines. Copy and Save use the whole text.</source>
        <translation>Die Vorschau zeigt die ersten %1 von %2 Zeilen. Kopieren und Speichern verwenden den ganzen Text.</translation>
    </message>
    <message>
        <source>The process whose figures are shown, where the ranks of the run differ. Other figures are of all ranks together.</source>
        <translation>Der Prozess, dessen Werte angezeigt werden, wo sich die Ränge des Laufs unterscheiden. Alle anderen Werte gelten für alle Ränge zusammen.</translation>
    </message>
    <message>
        <source>The product, and which of its operands was quantized</source>
        <translation>Das Produkt, und welcher seiner Operanden quantisiert wurde</translation>
    </message>
    <message>
        <source>The profiler is off in this run. Press Measure below to switch it on.</source>
        <translation>Der Profiler ist in diesem Lauf aus. Unten „Messen“ drücken, um ihn einzuschalten.</translation>
    </message>
    <message>
        <source>The recording ends here. Its engine was killed, or is still recording.</source>
        <translation>Die Aufzeichnung endet hier. Ihre Engine wurde abgebrochen oder zeichnet noch auf.</translation>
    </message>
    <message>
        <source>The replay did not find the first cause.</source>
        <translation>Die Wiederholung fand die erste Ursache nicht.</translation>
    </message>
    <message>
        <source>The report could not be made: %1.</source>
        <translation>Der Bericht ließ sich nicht erstellen: %1.</translation>
    </message>
    <message>
        <source>The report could not be written to %1: %2.</source>
        <translation>Der Bericht ließ sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The report was written to %1.</source>
        <translation>Der Bericht wurde nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>the run description %1</source>
        <translation>die Laufbeschreibung %1</translation>
    </message>
    <message>
        <source>The run description %1 has unsaved edits.</source>
        <translation>Die Laufbeschreibung %1 hat ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>The run description could not be written to %1: %2.</source>
        <translation>Die Laufbeschreibung ließ sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The run description has a problem.</source>
        <translation>Die Laufbeschreibung hat ein Problem.</translation>
    </message>
    <message>
        <source>The run ended after %1 steps: %2.</source>
        <translation>Der Lauf endete nach %1 Schritten: %2.</translation>
    </message>
    <message>
        <source>The run ended before it was observed.</source>
        <translation>Der Lauf endete, bevor er beobachtet wurde.</translation>
    </message>
    <message>
        <source>The run file does not exist any more.</source>
        <translation>Die Laufdatei existiert nicht mehr.</translation>
    </message>
    <message>
        <source>The run file does not record this time.</source>
        <translation>Die Laufdatei zeichnet diese Zeit nicht auf.</translation>
    </message>
    <message>
        <source>The run file has everything.</source>
        <translation>Die Laufdatei enthält alles.</translation>
    </message>
    <message>
        <source>The run file is on %1.</source>
        <translation>Die Laufdatei liegt auf %1.</translation>
    </message>
    <message>
        <source>The run file was copied to %1.</source>
        <translation>Die Laufdatei wurde nach %1 kopiert.</translation>
    </message>
    <message>
        <source>the run has %1 loss scalers, and a target has one. None is in the text.</source>
        <translation>der Lauf hat %1 Loss-Skalierer, ein Ziel aber einen. Der Text enthält keinen.</translation>
    </message>
    <message>
        <source>The run has a policy of its own. Save yours, and open the run again.</source>
        <translation>Der Lauf hat eine eigene Richtlinie. Die jetzige speichern und den Lauf erneut öffnen.</translation>
    </message>
    <message>
        <source>The run has ended and kept no checkpoint, so it cannot be measured. Start it again, or set a folder for checkpoints.</source>
        <translation>Der Lauf ist beendet und behielt keinen Checkpoint, daher lässt er sich nicht messen. Ihn neu starten oder einen Ordner für Checkpoints setzen.</translation>
    </message>
    <message>
        <source>The run has ended.</source>
        <translation>Der Lauf ist beendet.</translation>
    </message>
    <message>
        <source>The run has ended. A fix can be applied to an active run only.</source>
        <translation>Der Lauf ist beendet. Eine Korrektur lässt sich nur auf einen aktiven Lauf anwenden.</translation>
    </message>
    <message>
        <source>The run has neither a run file nor a checkpoint, so there is no state to try from.</source>
        <translation>Der Lauf hat weder Laufdatei noch Checkpoint, es gibt also keinen Zustand für einen Versuch.</translation>
    </message>
    <message>
        <source>The run has no loss scaler</source>
        <translation>Der Lauf hat keinen Loss-Skalierer</translation>
    </message>
    <message>
        <source>The run has no loss scaler.</source>
        <translation>Der Lauf hat keinen Loss-Skalierer.</translation>
    </message>
    <message>
        <source>The run has no notes.</source>
        <translation>Der Lauf hat keine Notizen.</translation>
    </message>
    <message>
        <source>The run has no test data.</source>
        <translation>Der Lauf hat keine Testdaten.</translation>
    </message>
    <message>
        <source>The run has no weights yet.</source>
        <translation>Der Lauf hat noch keine Gewichte.</translation>
    </message>
    <message>
        <source>The run has recorded none so far. Observation at level histogram records them.</source>
        <translation>Der Lauf hat bisher keines aufgezeichnet. Die Beobachtungsstufe histogram zeichnet Histogramme auf.</translation>
    </message>
    <message>
        <source>The run in progress is stopped once the other engine has answered.</source>
        <translation>Der laufende Lauf wird angehalten, sobald die andere Engine geantwortet hat.</translation>
    </message>
    <message>
        <source>The run is not recorded in a file.</source>
        <translation>Der Lauf wird nicht in einer Datei aufgezeichnet.</translation>
    </message>
    <message>
        <source>The run is not training now.</source>
        <translation>Der Lauf trainiert gerade nicht.</translation>
    </message>
    <message>
        <source>The run is paused. The first results appear after the next steps.</source>
        <translation>Der Lauf ist pausiert. Die ersten Ergebnisse erscheinen nach den nächsten Schritten.</translation>
    </message>
    <message>
        <source>The run is paused. The first samples appear after the next steps.</source>
        <translation>Der Lauf ist pausiert. Die ersten Stichproben erscheinen nach den nächsten Schritten.</translation>
    </message>
    <message>
        <source>The run is training.</source>
        <translation>Der Lauf trainiert.</translation>
    </message>
    <message>
        <source>The run kept no state before this step, so the event cannot be replayed alone.</source>
        <translation>Der Lauf behielt keinen Zustand von vor diesem Schritt, daher lässt sich das Ereignis nicht allein wiederholen.</translation>
    </message>
    <message>
        <source>The run made this comparison automatically, to determine whether lost values affect the result.</source>
        <translation>Der Lauf machte diesen Vergleich von selbst, um festzustellen, ob verlorene Werte das Ergebnis beeinflussen.</translation>
    </message>
    <message>
        <source>The run starts with the policy of %1.</source>
        <translation>Der Lauf startet mit der Richtlinie von %1.</translation>
    </message>
    <message>
        <source>the run was not profiled</source>
        <translation>der Lauf wurde nicht profiliert</translation>
    </message>
    <message>
        <source>The run was too short.</source>
        <translation>Der Lauf war zu kurz.</translation>
    </message>
    <message>
        <source>The run whose heat map is shown. The histogram shows both.</source>
        <translation>Der Lauf, dessen Heatmap gezeigt wird. Das Histogramm zeigt beide.</translation>
    </message>
    <message>
        <source>The run&apos;s description could not be written to %1: %2.</source>
        <translation>Die Beschreibung des Laufs ließ sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The run&apos;s model %1 does not exist.</source>
        <translation>Das Modell %1 des Laufs existiert nicht.</translation>
    </message>
    <message>
        <source>The runs have no step in common</source>
        <translation>Die Läufe haben keinen gemeinsamen Schritt</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>the same policy again</source>
        <translation>noch einmal dieselbe Richtlinie</translation>
    </message>
    <message>
        <source>the same step, replayed from its saved state</source>
        <translation>derselbe Schritt, von seinem gespeicherten Zustand aus wiederholt</translation>
    </message>
    <message>
        <source>the same, exact</source>
        <translation>gleich, exakt</translation>
    </message>
    <message>
        <source>The scale is stale: the largest value is %1 doublings above what it represents.</source>
        <translation>Die Skala ist veraltet: Der größte Wert liegt %1 Verdopplungen über dem, was sie darstellt.</translation>
    </message>
    <message>
        <source>The scale never backs off below it. Empty: no floor.</source>
        <translation>Die Skalierung geht nie darunter zurück. Leer: keine Untergrenze.</translation>
    </message>
    <message>
        <source>The scale never changes. Steps that overflow are still skipped.</source>
        <translation>Die Skalierung ändert sich nie. Überlaufende Schritte werden trotzdem übersprungen.</translation>
    </message>
    <message>
        <source>The scale never falls below this value.</source>
        <translation>Die Skalierung fällt nie unter diesen Wert.</translation>
    </message>
    <message>
        <source>The scale never grows above it. Empty: no ceiling.</source>
        <translation>Die Skalierung wächst nie darüber. Leer: keine Obergrenze.</translation>
    </message>
    <message>
        <source>The scale never rises above this value.</source>
        <translation>Die Skalierung steigt nie über diesen Wert.</translation>
    </message>
    <message>
        <source>the scale of %1 is stale</source>
        <translation>die Skala von %1 ist veraltet</translation>
    </message>
    <message>
        <source>The scale of a block follows from its largest value. If that is far above the others, they are left with the smallest numbers of the format, or become 0. A Hadamard transform mixes 16 values, so that no single one stands out.</source>
        <translation>Die Skala eines Blocks folgt aus seinem größten Wert. Liegt dieser weit über den anderen, bleiben ihnen die kleinsten Zahlen des Formats, oder sie werden 0. Eine Hadamard-Transformation mischt 16 Werte, sodass keiner heraussticht.</translation>
    </message>
    <message>
        <source>The scale of a block follows from its largest value. If that is far above the others, they are left with the smallest numbers of the format, or become 0. No infinity shows this.</source>
        <translation>Die Skala eines Blocks folgt aus seinem größten Wert. Liegt dieser weit über den anderen, bleiben ihnen die kleinsten Zahlen des Formats, oder sie werden 0. Kein Unendlich zeigt das an.</translation>
    </message>
    <message>
        <source>The scale stays; overflowing steps are skipped all the same.</source>
        <translation>Die Skalierung bleibt; überlaufende Schritte werden trotzdem übersprungen.</translation>
    </message>
    <message>
        <source>The scaler checks all gradients before the update. It found this one and skipped the update.</source>
        <translation>Der Skalierer prüft alle Gradienten vor der Aktualisierung. Er fand diesen und übersprang die Aktualisierung.</translation>
    </message>
    <message>
        <source>The scaler drawn in front. The fields here edit this scaler.</source>
        <translation>Der vorn gezeichnete Skalierer. Die Felder hier ändern ihn.</translation>
    </message>
    <message>
        <source>The scaler that scales this loss. Empty: the first.</source>
        <translation>Der Skalierer, der diesen Loss skaliert. Leer: der erste.</translation>
    </message>
    <message>
        <source>The scaler was not changed.</source>
        <translation>Der Loss-Skalierer wurde nicht geändert.</translation>
    </message>
    <message>
        <source>The search does not change the format of these op calls.</source>
        <translation>Die Suche ändert das Format dieser Operatoraufrufe nicht.</translation>
    </message>
    <message>
        <source>The search ended without a result. Its tries so far are kept: start it again to go on.</source>
        <translation>Die Suche endete ohne Ergebnis. Ihre bisherigen Versuche bleiben erhalten: Sie erneut starten, um weiterzumachen.</translation>
    </message>
    <message>
        <source>The search has ended. It found %1 policies.</source>
        <translation>Die Suche ist beendet. Sie fand %1 Richtlinien.</translation>
    </message>
    <message>
        <source>The search has ended. It found 1 policy.</source>
        <translation>Die Suche ist beendet. Sie fand 1 Richtlinie.</translation>
    </message>
    <message>
        <source>The search has found nothing better.</source>
        <translation>Die Suche hat nichts Besseres gefunden.</translation>
    </message>
    <message>
        <source>The search was cancelled before it had begun.</source>
        <translation>Die Suche wurde abgebrochen, bevor sie begonnen hatte.</translation>
    </message>
    <message>
        <source>The search was cancelled before it had tried a policy.</source>
        <translation>Die Suche wurde abgebrochen, bevor sie eine Richtlinie erprobt hatte.</translation>
    </message>
    <message>
        <source>The search was cancelled. Its results so far are kept.</source>
        <translation>Die Suche wurde abgebrochen. Ihre bisherigen Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
        <source>The settings are of a newer version of Binade, so the default layout is used.</source>
        <translation>Die Einstellungen stammen von einer neueren Version von Binade, daher gilt die Standardanordnung.</translation>
    </message>
    <message>
        <source>The settings state whether such an engine is started.</source>
        <translation>Die Einstellungen legen fest, ob eine solche Engine gestartet wird.</translation>
    </message>
    <message>
        <source>The settings with which the run was started.</source>
        <translation>Die Einstellungen, mit denen der Lauf gestartet wurde.</translation>
    </message>
    <message>
        <source>The share that is lost, or the error that is added. The list is ranked by it.</source>
        <translation>Der Anteil, der verloren geht, oder der Fehler, der hinzukommt. Die Liste ist danach geordnet.</translation>
    </message>
    <message>
        <source>The shares are upper bounds.</source>
        <translation>Die Anteile sind obere Schranken.</translation>
    </message>
    <message>
        <source>the start</source>
        <translation>der Start</translation>
    </message>
    <message>
        <source>The start of the engine was cancelled.</source>
        <translation>Der Start der Engine wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The step is saved in %1.</source>
        <translation>Der Schritt ist in %1 gespeichert.</translation>
    </message>
    <message>
        <source>The step that all views show</source>
        <translation>Der Schritt, den alle Ansichten zeigen</translation>
    </message>
    <message>
        <source>The step was replayed %1 times in %2. The training itself did not change.</source>
        <translation>Der Schritt wurde %1-mal in %2 wiederholt. Das Training selbst änderte sich nicht.</translation>
    </message>
    <message>
        <source>The step was replayed once in %1. The training itself did not change.</source>
        <translation>Der Schritt wurde einmal in %1 wiederholt. Das Training selbst änderte sich nicht.</translation>
    </message>
    <message>
        <source>The step was replayed to find its first cause. Of many such steps, fixes are tried for only some. The training itself did not change.</source>
        <translation>Der Schritt wurde wiederholt, um seine erste Ursache zu finden. Von vielen solchen Schritten werden nur für einige Korrekturen versucht. Das Training selbst änderte sich nicht.</translation>
    </message>
    <message>
        <source>The stored parameter of the model, before the optimizer step.</source>
        <translation>Der gespeicherte Parameter des Modells, vor dem Schritt des Optimierers.</translation>
    </message>
    <message>
        <source>The system of %1 cannot confine the engine.</source>
        <translation>Das System von %1 kann die Engine nicht abschotten.</translation>
    </message>
    <message>
        <source>The system of the engine cannot confine it, so it was not started.</source>
        <translation>Das System der Engine kann sie nicht abschotten, deshalb wurde sie nicht gestartet.</translation>
    </message>
    <message>
        <source>The system of this computer cannot confine the engine.</source>
        <translation>Das System dieses Computers kann die Engine nicht abschotten.</translation>
    </message>
    <message>
        <source>The tensor was observed after rounding. It is unknown which of its zeros were non-zero values before.</source>
        <translation>Der Tensor wurde nach der Rundung beobachtet. Es ist unbekannt, welche seiner Nullen vorher Werte ungleich 0 waren.</translation>
    </message>
    <message>
        <source>The tensor-core curve appears here for runs that were recorded with the profiler on.</source>
        <translation>Die Tensorkern-Kurve erscheint hier für Läufe, die mit eingeschaltetem Profiler aufgezeichnet wurden.</translation>
    </message>
    <message>
        <source>The tensor-core use of this op call was not measured.</source>
        <translation>Die Tensorkern-Nutzung dieses Operatoraufrufs wurde nicht gemessen.</translation>
    </message>
    <message>
        <source>The tensors below are in the order of execution. Start with the first.</source>
        <translation>Die Tensoren unten stehen in der Reihenfolge der Ausführung. Mit dem ersten beginnen.</translation>
    </message>
    <message>
        <source>The text could not be made: %1.</source>
        <translation>Der Text ließ sich nicht erstellen: %1.</translation>
    </message>
    <message>
        <source>The text could not be written to %1: %2.</source>
        <translation>Der Text ließ sich nicht nach %1 schreiben: %2.</translation>
    </message>
    <message>
        <source>The text is being written and read back.</source>
        <translation>Der Text wird geschrieben und zurückgelesen.</translation>
    </message>
    <message>
        <source>The text then says the nearest thing for what is listed above.</source>
        <translation>Der Text sagt dann für das oben Aufgelistete das Nächstliegende.</translation>
    </message>
    <message>
        <source>The text was written to %1.</source>
        <translation>Der Text wurde nach %1 geschrieben.</translation>
    </message>
    <message>
        <source>The time limit of %1 s ended it.</source>
        <translation>Die Zeitgrenze von %1 s beendete es.</translation>
    </message>
    <message>
        <source>The time of an emulated format says nothing about its speed</source>
        <translation>Die Zeit eines emulierten Formats sagt nichts über seine Geschwindigkeit</translation>
    </message>
    <message>
        <source>The time of each op call appears here when a run is profiled.</source>
        <translation>Die Zeit jedes Operatoraufrufs erscheint hier, wenn ein Lauf profiliert wird.</translation>
    </message>
    <message>
        <source>The time of every step appears here. It includes emulation.</source>
        <translation>Die Zeit jedes Schritts erscheint hier. Sie enthält die Emulation.</translation>
    </message>
    <message>
        <source>The time that each rank is busy in a step appears here.</source>
        <translation>Hier erscheint die Zeit, die jeder Rang in einem Schritt beschäftigt ist.</translation>
    </message>
    <message>
        <source>The times of each rank appear here if a run has several.</source>
        <translation>Hier erscheinen die Zeiten jedes Rangs, wenn ein Lauf mehrere hat.</translation>
    </message>
    <message>
        <source>The training after was given up after %1 of %2 steps: its losses were no longer finite.</source>
        <translation>Das Training nachher wurde nach %1 von %2 Schritten abgebrochen: sein Loss war nicht mehr endlich.</translation>
    </message>
    <message>
        <source>The training before was given up after %1 of %2 steps: its losses were no longer finite.</source>
        <translation>Das Training vorher wurde nach %1 von %2 Schritten abgebrochen: sein Loss war nicht mehr endlich.</translation>
    </message>
    <message>
        <source>The training ended before its first step.</source>
        <translation>Das Training endete vor seinem ersten Schritt.</translation>
    </message>
    <message>
        <source>The training ended while the connection was lost.</source>
        <translation>Das Training endete, während die Verbindung verloren war.</translation>
    </message>
    <message>
        <source>The training for the noise was given up after %1 of %2 steps: its losses were no longer finite.</source>
        <translation>Das Training für das Rauschen wurde nach %1 von %2 Schritten abgebrochen: sein Loss war nicht mehr endlich.</translation>
    </message>
    <message>
        <source>The training for the pictures did not run: %1</source>
        <translation>Das Training für die Bilder lief nicht: %1</translation>
    </message>
    <message>
        <source>The training goes on with the policy from before.</source>
        <translation>Das Training läuft mit der vorherigen Richtlinie weiter.</translation>
    </message>
    <message>
        <source>The training goes on with the policy from before. To apply the edits, this window takes over editing.</source>
        <translation>Das Training läuft mit der vorherigen Richtlinie weiter. Um die Änderungen anzuwenden, übernimmt dieses Fenster die Bearbeitung.</translation>
    </message>
    <message>
        <source>The training since then is lost: %1 steps, up to step %2, with their losses, events and evaluations. The run file keeps a record of them, but their weights are gone unless a later checkpoint has them.</source>
        <translation>Das Training seither geht verloren: %1 Schritte, bis Schritt %2, mit ihren Loss-Werten, Ereignissen und Auswertungen. Die Laufdatei behält eine Aufzeichnung davon, aber ihre Gewichte sind weg, wenn kein späterer Checkpoint sie hat.</translation>
    </message>
    <message>
        <source>The training was rewound while the connection was lost.</source>
        <translation>Das Training wurde zurückgespult, während die Verbindung verloren war.</translation>
    </message>
    <message>
        <source>The training was started without this window. To leave it running, let go of it.</source>
        <translation>Das Training wurde ohne dieses Fenster gestartet. Damit es weiterläuft, lassen Sie es los.</translation>
    </message>
    <message>
        <source>The Try was cancelled before it had measured anything.</source>
        <translation>Der Versuch wurde abgebrochen, bevor er etwas gemessen hatte.</translation>
    </message>
    <message>
        <source>The Try was cancelled. Its measurements are kept.</source>
        <translation>Der Versuch wurde abgebrochen. Seine Messungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>The unsaved edits could not be kept in %1: %2.</source>
        <translation>Die ungespeicherten Änderungen ließen sich nicht in %1 aufbewahren: %2.</translation>
    </message>
    <message>
        <source>The update of each parameter, and the part that rounding loses, appears here after the next observed step.</source>
        <translation>Die Aktualisierung jedes Parameters und der Teil, den die Rundung verliert, erscheinen hier nach dem nächsten beobachteten Schritt.</translation>
    </message>
    <message>
        <source>The value came from outside the op calls.</source>
        <translation>Der Wert kam von außerhalb der Operatoraufrufe.</translation>
    </message>
    <message>
        <source>The values of a block share a scale. If the scale has too little range for the block, or the scale of the tensor is too coarse, every value of it rounds to 0 and the products receive nothing from it.</source>
        <translation>Die Werte eines Blocks teilen sich eine Skala. Hat die Skala für den Block zu wenig Bereich, oder ist die Skala des Tensors zu grob, rundet jeder seiner Werte zu 0, und die Produkte erhalten nichts von ihm.</translation>
    </message>
    <message>
        <source>The values that losses compare the output with. A loss that needs no target can omit it.</source>
        <translation>Die Werte, mit denen Loss-Funktionen die Ausgabe vergleichen. Ein Loss, der kein Ziel braucht, kann es weglassen.</translation>
    </message>
    <message>
        <source>The verdict is covered until you have answered the first question of the lesson: the name of the op call.</source>
        <translation>Das Urteil ist verdeckt, bis die erste Frage der Lektion beantwortet ist: der Name des Operatoraufrufs.</translation>
    </message>
    <message>
        <source>The verdict rests on this half of the steps</source>
        <translation>Das Urteil beruht auf dieser Hälfte der Schritte</translation>
    </message>
    <message>
        <source>The wait for the engine&apos;s response to %1 was cancelled.</source>
        <translation>Das Warten auf die Antwort der Engine auf %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>The whole interval lies below 0.1 % of the loss. A difference this small does not matter in practice.</source>
        <translation>Das ganze Intervall liegt unter 0,1 % des Loss. Ein so kleiner Unterschied spielt in der Praxis keine Rolle.</translation>
    </message>
    <message>
        <source>The whole text was copied.</source>
        <translation>Der ganze Text wurde kopiert.</translation>
    </message>
    <message>
        <source>The window is attached to a training, so %1 was not opened.</source>
        <translation>Das Fenster ist mit einem Training verbunden, deshalb wurde %1 nicht geöffnet.</translation>
    </message>
    <message>
        <source>The window is attached to a training. Let go of it, so that it goes on alone, and run the demo?</source>
        <translation>Das Fenster ist mit einem Training verbunden. Loslassen, sodass es allein weiterläuft, und die Demo starten?</translation>
    </message>
    <message>
        <source>The window is not attached to a training.</source>
        <translation>Das Fenster ist mit keinem Training verbunden.</translation>
    </message>
    <message>
        <source>The window let go of %1. The training goes on.</source>
        <translation>Das Fenster hat %1 losgelassen. Das Training läuft weiter.</translation>
    </message>
    <message>
        <source>The window let go of the training, which goes on.</source>
        <translation>Das Fenster hat das Training losgelassen; es läuft weiter.</translation>
    </message>
    <message>
        <source>The window still has its content. It was in %1.</source>
        <translation>Das Fenster hat seinen Inhalt noch. Er lag in %1.</translation>
    </message>
    <message>
        <source>The window still has the version before. Undo brings it back after reloading.</source>
        <translation>Das Fenster hat noch die Fassung davor. Nach dem Neuladen bringt Rückgängig sie zurück.</translation>
    </message>
    <message>
        <source>The window was attached to a training.</source>
        <translation>Das Fenster wurde mit einem Training verbunden.</translation>
    </message>
    <message>
        <source>The window was connected to another engine.</source>
        <translation>Das Fenster wurde mit einer anderen Engine verbunden.</translation>
    </message>
    <message>
        <source>their time now</source>
        <translation>ihre Zeit jetzt</translation>
    </message>
    <message>
        <source>There are already %1 added formats.</source>
        <translation>Es gibt schon %1 hinzugefügte Formate.</translation>
    </message>
    <message>
        <source>There is no edit to redo.</source>
        <translation>Es gibt keine Änderung zum Wiederholen.</translation>
    </message>
    <message>
        <source>There is no edit to undo.</source>
        <translation>Es gibt keine Änderung zum Rückgängigmachen.</translation>
    </message>
    <message>
        <source>There is no lesson %1.</source>
        <translation>Es gibt keine Lektion %1.</translation>
    </message>
    <message>
        <source>There is no policy yet.</source>
        <translation>Es gibt noch keine Richtlinie.</translation>
    </message>
    <message>
        <source>There is no run whose policy could be tried.</source>
        <translation>Es gibt keinen Lauf, dessen Richtlinie sich versuchen ließe.</translation>
    </message>
    <message>
        <source>There is no run.</source>
        <translation>Es gibt keinen Lauf.</translation>
    </message>
    <message>
        <source>There is no run. Run the demo, or open a model.</source>
        <translation>Es gibt keinen Lauf. Die Vorführung starten oder ein Modell öffnen.</translation>
    </message>
    <message>
        <source>There is no second run.</source>
        <translation>Es gibt keinen zweiten Lauf.</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>es gibt keine solche Datei</translation>
    </message>
    <message>
        <source>These models open although checks refuse their code. The trust is in the content, not in the name of a file. A model that is open stays open.</source>
        <translation>Diese Modelle lassen sich öffnen, obwohl Prüfungen ihren Code ablehnen. Das Vertrauen gilt dem Inhalt, nicht dem Namen einer Datei. Ein offenes Modell bleibt offen.</translation>
    </message>
    <message>
        <source>These settings do not affect two checks: the loss and all gradients are checked on every step, and a step that is not finite is observed in full.</source>
        <translation>Diese Einstellungen berühren zwei Prüfungen nicht: Der Loss und alle Gradienten werden in jedem Schritt geprüft, und ein nicht endlicher Schritt wird vollständig beobachtet.</translation>
    </message>
    <message>
        <source>These two cannot be compared</source>
        <translation>Diese beiden lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>They are left as they are. What you change here is forgotten when the window closes.</source>
        <translation>Sie bleiben, wie sie sind. Was hier geändert wird, ist beim Schließen des Fensters vergessen.</translation>
    </message>
    <message>
        <source>They show the stored values, and the unscaled gradient that the optimizer receives.</source>
        <translation>Sie zeigen die gespeicherten Werte und den zurückskalierten Gradienten, den der Optimierer erhält.</translation>
    </message>
    <message>
        <source>They show which values the cast into an op call makes 0 or inf.</source>
        <translation>Sie zeigen, welche Werte der Cast in einen Operatoraufruf zu 0 oder inf macht.</translation>
    </message>
    <message>
        <source>This batch</source>
        <translation>Dieser Batch</translation>
    </message>
    <message>
        <source>this batch only</source>
        <translation>nur dieser Batch</translation>
    </message>
    <message>
        <source>This build does not support GPU counters</source>
        <translation>Dieser Build unterstützt keine GPU-Zähler</translation>
    </message>
    <message>
        <source>This command attaches to a training. Choose File › Attach to a running training.</source>
        <translation>Dieser Befehl verbindet mit einem Training. Wählen Sie Datei › Mit einem laufenden Training verbinden.</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Computer</translation>
    </message>
    <message>
        <source>This computer&apos;s engine is in use.</source>
        <translation>Die Engine dieses Computers ist in Gebrauch.</translation>
    </message>
    <message>
        <source>this computer; else a name, or user@name, as for ssh</source>
        <translation>dieser Rechner; sonst ein Name oder benutzer@name, wie bei ssh</translation>
    </message>
    <message>
        <source>This entry is no edit of the policy.</source>
        <translation>Dieser Eintrag ist keine Änderung der Richtlinie.</translation>
    </message>
    <message>
        <source>This file has problems. Open it to see them.</source>
        <translation>Diese Datei hat Probleme. Sie öffnen, um sie zu sehen.</translation>
    </message>
    <message>
        <source>This folder is empty.</source>
        <translation>Dieser Ordner ist leer.</translation>
    </message>
    <message>
        <source>This GPU has no tensor-core counter</source>
        <translation>Diese GPU hat keinen Tensorkern-Zähler</translation>
    </message>
    <message>
        <source>This GPU slice has no counters of its own</source>
        <translation>Dieser GPU-Teil hat keine eigenen Zähler</translation>
    </message>
    <message>
        <source>This happened in the forward pass, which the loss scale does not affect.</source>
        <translation>Dies geschah im Vorwärtslauf, den die Loss-Skalierung nicht beeinflusst.</translation>
    </message>
    <message>
        <source>This happened in the forward pass, which the loss scale does not affect. Use a wider format or smaller values.</source>
        <translation>Dies geschah im Vorwärtslauf, den die Loss-Skalierung nicht beeinflusst. Ein breiteres Format oder kleinere Werte verwenden.</translation>
    </message>
    <message>
        <source>This is a safe start, without the stored layout and settings.</source>
        <translation>Dies ist ein sicherer Start, ohne gespeicherte Anordnung und Einstellungen.</translation>
    </message>
    <message>
        <source>this is right</source>
        <translation>das ist richtig</translation>
    </message>
    <message>
        <source>This is the present policy.</source>
        <translation>Dies ist die jetzige Richtlinie.</translation>
    </message>
    <message>
        <source>This lesson has no figure.</source>
        <translation>Diese Lektion hat keine Abbildung.</translation>
    </message>
    <message>
        <source>This model trains on random data, made from a fixed seed.</source>
        <translation>Dieses Modell trainiert auf Zufallsdaten aus einem festen Startwert.</translation>
    </message>
    <message>
        <source>This op call overflows in the backward pass at every loss scale.</source>
        <translation>Dieser Operatoraufruf läuft im Rückwärtslauf bei jeder Loss-Skalierung über.</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>dieser Lauf</translation>
    </message>
    <message>
        <source>This run has no loss scaler.</source>
        <translation>Dieser Lauf hat keinen Loss-Skalierer.</translation>
    </message>
    <message>
        <source>This run has one process.</source>
        <translation>Dieser Lauf hat einen Prozess.</translation>
    </message>
    <message>
        <source>This run minus the second run</source>
        <translation>Dieser Lauf minus den zweiten Lauf</translation>
    </message>
    <message>
        <source>This run stays as it is. The new one continues from step %1, under the present policy.</source>
        <translation>Dieser Lauf bleibt, wie er ist. Der neue geht von Schritt %1 aus weiter, unter der jetzigen Richtlinie.</translation>
    </message>
    <message>
        <source>This run was not profiled</source>
        <translation>Dieser Lauf wurde nicht profiliert</translation>
    </message>
    <message>
        <source>This run was not profiled.</source>
        <translation>Dieser Lauf wurde nicht profiliert.</translation>
    </message>
    <message>
        <source>This run was not profiled. Set &quot;profile&quot; in the run description, or use binade-engine train --profile times.</source>
        <translation>Dieser Lauf wurde nicht profiliert. &quot;profile&quot; in der Laufbeschreibung setzen oder binade-engine train --profile times verwenden.</translation>
    </message>
    <message>
        <source>This step was finite. No op call and no gradient overflowed.</source>
        <translation>Dieser Schritt war endlich. Kein Operatoraufruf und kein Gradient lief über.</translation>
    </message>
    <message>
        <source>This virtual GPU provides no counters</source>
        <translation>Diese virtuelle GPU bietet keine Zähler</translation>
    </message>
    <message>
        <source>This window edits from then on, and the one that edits now watches</source>
        <translation>Dieses Fenster bearbeitet von da an, und das bisher bearbeitende sieht zu</translation>
    </message>
    <message>
        <source>This window edits the training already.</source>
        <translation>Dieses Fenster bearbeitet das Training schon.</translation>
    </message>
    <message>
        <source>This window only watches the training. Take over editing first.</source>
        <translation>Dieses Fenster sieht dem Training nur zu. Übernehmen Sie zuerst die Bearbeitung.</translation>
    </message>
    <message>
        <source>This window watches from then on</source>
        <translation>Dieses Fenster sieht von da an zu</translation>
    </message>
    <message>
        <source>tie, down to even</source>
        <translation>Mitte, abwärts zur geraden Zahl</translation>
    </message>
    <message>
        <source>tie, up to even</source>
        <translation>Mitte, aufwärts zur geraden Zahl</translation>
    </message>
    <message>
        <source>Tight, safe to %1</source>
        <translation>Knapp, sicher bis %1</translation>
    </message>
    <message>
        <source>Tight: below one doubling</source>
        <translation>Knapp: unter einer Verdopplung</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time for which it was busy longer than the fastest rank: the mean</source>
        <translation>Zeit, die er länger beschäftigt war als der schnellste Rang: der Mittelwert</translation>
    </message>
    <message>
        <source>Time in a step</source>
        <translation>Zeit je Schritt</translation>
    </message>
    <message>
        <source>Time line</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>time of a step</source>
        <translation>Zeit eines Schritts</translation>
    </message>
    <message>
        <source>Time of a step under this policy</source>
        <translation>Zeit eines Schritts unter dieser Richtlinie</translation>
    </message>
    <message>
        <source>Time of op calls and tensor-core use</source>
        <translation>Zeit der Operatoraufrufe und Tensorkern-Nutzung</translation>
    </message>
    <message>
        <source>Time of the emulation. It does not indicate the format&apos;s speed.</source>
        <translation>Zeit der Emulation. Sie sagt nichts über die Geschwindigkeit des Formats.</translation>
    </message>
    <message>
        <source>time of the forwards</source>
        <translation>Zeit der Vorwärtsläufe</translation>
    </message>
    <message>
        <source>Time of the ranks</source>
        <translation>Zeit der Ränge</translation>
    </message>
    <message>
        <source>Time per op call</source>
        <translation>Zeit je Operatoraufruf</translation>
    </message>
    <message>
        <source>Time per op call, forward and backward, by the CPU clock</source>
        <translation>Zeit je Operatoraufruf, vorwärts und rückwärts, mit der CPU-Uhr gemessen</translation>
    </message>
    <message>
        <source>Time per op call, forward and backward, from kernel records</source>
        <translation>Zeit je Operatoraufruf, vorwärts und rückwärts, aus Kernel-Einträgen</translation>
    </message>
    <message>
        <source>times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Times each op call in the observed steps. Tensor-core use of the device comes from the counters of the GPU; that of an op call is estimated from them. Where the counters cannot be read, only times are shown, and the dock says why.</source>
        <translation>Misst in den beobachteten Schritten die Zeit jedes Operatoraufrufs. Die Nutzung der Tensorkerne des Geräts stammt aus den Zählern der GPU; die eines Operatoraufrufs wird daraus geschätzt. Wo die Zähler nicht gelesen werden können, erscheinen nur Zeiten, und das Dock sagt, warum.</translation>
    </message>
    <message>
        <source>Times every op call, and measures tensor-core use if the device supports it</source>
        <translation>Misst die Zeit jedes Operatoraufrufs und die Tensorkern-Nutzung, wenn das Gerät sie unterstützt</translation>
    </message>
    <message>
        <source>Timing op calls slows each step slightly.</source>
        <translation>Die Zeitmessung der Operatoraufrufe verlangsamt jeden Schritt etwas.</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>To switch it on, set &quot;profile&quot; in the run description, or use binade-engine train --profile counters.</source>
        <translation>Zum Einschalten &quot;profile&quot; in der Laufbeschreibung setzen oder binade-engine train --profile counters verwenden.</translation>
    </message>
    <message>
        <source>today, %1</source>
        <translation>heute, %1</translation>
    </message>
    <message>
        <source>Too few steps: %1 of 50</source>
        <translation>Zu wenige Schritte: %1 von 50</translation>
    </message>
    <message>
        <source>Too large numbers become the largest one, instead of infinity or NaN</source>
        <translation>Zu große Zahlen werden zur größten statt zu unendlich oder NaN</translation>
    </message>
    <message>
        <source>Too little work in a call</source>
        <translation>Zu wenig Arbeit je Aufruf</translation>
    </message>
    <message>
        <source>TorchScript model</source>
        <translation>TorchScript-Modell</translation>
    </message>
    <message>
        <source>TorchScript models (*.pt *.ts *.pth);;All files (*)</source>
        <translation>TorchScript-Modelle (*.pt *.ts *.pth);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>TorchScript models (*.pt)</source>
        <translation>TorchScript-Modelle (*.pt)</translation>
    </message>
    <message>
        <source>TorchScript of the selected loss</source>
        <translation>TorchScript des ausgewählten Loss</translation>
    </message>
    <message>
        <source>TorchScript with explicit casts</source>
        <translation>TorchScript mit ausdrücklichen Casts</translation>
    </message>
    <message>
        <source>TorchScript&apos;s optimising executor cannot train this file (%1). Switch it off with torch.jit.optimized_execution(False).</source>
        <translation>Der optimierende Executor von TorchScript kann diese Datei nicht trainieren (%1). Ihn mit torch.jit.optimized_execution(False) ausschalten.</translation>
    </message>
    <message>
        <source>Traces (*.json)</source>
        <translation>Aufzeichnungen (*.json)</translation>
    </message>
    <message>
        <source>Train %1</source>
        <translation>%1 trainieren</translation>
    </message>
    <message>
        <source>Train %1 more steps, or observe every n-th step with n ≤ %2.</source>
        <translation>%1 weitere Schritte trainieren oder jeden n-ten Schritt mit n ≤ %2 beobachten.</translation>
    </message>
    <message>
        <source>Train %1 more steps.</source>
        <translation>%1 weitere Schritte trainieren.</translation>
    </message>
    <message>
        <source>Train where the GPU is. This window shows and changes the run over ssh.</source>
        <translation>Dort trainieren, wo die GPU ist. Dieses Fenster zeigt und ändert den Lauf über ssh.</translation>
    </message>
    <message>
        <source>Trained weights, after %1 steps</source>
        <translation>Trainierte Gewichte, nach %1 Schritten</translation>
    </message>
    <message>
        <source>TRAINING</source>
        <translation>TRAINING</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Training examples are generated without limit.</source>
        <translation>Trainingsbeispiele werden ohne Grenze erzeugt.</translation>
    </message>
    <message>
        <source>Trainings</source>
        <translation>Trainings</translation>
    </message>
    <message>
        <source>Trains the sample %1 for %2 steps from the same start, once with each of %3.</source>
        <translation>Trainiert das Beispiel %1 für %2 Schritte vom selben Start aus, je einmal mit %3.</translation>
    </message>
    <message>
        <source>Trains the sample %1 for %2 steps with %3.</source>
        <translation>Trainiert das Beispiel %1 für %2 Schritte mit %3.</translation>
    </message>
    <message>
        <source>Trains the sample %1 with %3 up to its first step that is not finite, at most %2 steps.</source>
        <translation>Trainiert das Beispiel %1 mit %3 bis zu seinem ersten nicht endlichen Schritt, höchstens %2 Schritte.</translation>
    </message>
    <message>
        <source>Trains twice from one state of the run, on the same batches: under the present policy and with this format. Try shows the difference in loss with its interval, beside what rounding alone does. The run keeps its policy.</source>
        <translation>Trainiert zweimal von einem Zustand des Laufs aus, auf denselben Batches: unter der jetzigen Richtlinie und mit diesem Format. Der Versuch zeigt den Unterschied im Loss mit seinem Intervall, neben dem, was Rundung allein bewirkt. Der Lauf behält seine Richtlinie.</translation>
    </message>
    <message>
        <source>Trains under both policies from one checkpoint, beside the run, and compares the losses.</source>
        <translation>Trainiert neben dem Lauf unter beiden Richtlinien von einem Checkpoint aus und vergleicht die Loss-Werte.</translation>
    </message>
    <message>
        <source>Trains under both policies from one state, beside the run</source>
        <translation>Trainiert neben dem Lauf unter beiden Richtlinien von einem Zustand aus</translation>
    </message>
    <message>
        <source>Trains under both policies with more steps and repetitions</source>
        <translation>Trainiert unter beiden Richtlinien mit mehr Schritten und Wiederholungen</translation>
    </message>
    <message>
        <source>Trains under its policy and under the one that it replaced, from one checkpoint, beside the run, and compares the losses.</source>
        <translation>Trainiert neben dem Lauf unter ihrer Richtlinie und unter der von ihr ersetzten, von einem Checkpoint aus, und vergleicht die Loss-Werte.</translation>
    </message>
    <message>
        <source>Trains under the changed policy beside the run, without applying it</source>
        <translation>Trainiert neben dem Lauf unter der geänderten Richtlinie, ohne sie anzuwenden</translation>
    </message>
    <message>
        <source>Trains under the policy with this change and without it, from one checkpoint, beside the run, and compares the losses.</source>
        <translation>Trainiert neben dem Lauf unter der Richtlinie mit dieser Änderung und ohne sie, von einem Checkpoint aus, und vergleicht die Loss-Werte.</translation>
    </message>
    <message>
        <source>Trains with this fix beside the run, without applying it</source>
        <translation>Trainiert neben dem Lauf mit dieser Korrektur, ohne sie anzuwenden</translation>
    </message>
    <message>
        <source>Trains with this format for all selected op calls beside the run; the policy stays</source>
        <translation>Trainiert neben dem Lauf mit diesem Format für alle ausgewählten Operatoraufrufe; die Richtlinie bleibt</translation>
    </message>
    <message>
        <source>Trains without this cast beside the run, and leaves the policy as it is</source>
        <translation>Trainiert neben dem Lauf ohne diesen Cast und lässt die Richtlinie, wie sie ist</translation>
    </message>
    <message>
        <source>tried at step %1, which has the same first cause</source>
        <translation>bei Schritt %1 versucht, der dieselbe erste Ursache hat</translation>
    </message>
    <message>
        <source>Tried: %1</source>
        <translation>Versucht: %1</translation>
    </message>
    <message>
        <source>Tries at once to connect again</source>
        <translation>Versucht sofort, sich wieder zu verbinden</translation>
    </message>
    <message>
        <source>Tries of the search</source>
        <translation>Versuche der Suche</translation>
    </message>
    <message>
        <source>Trust and open</source>
        <translation>Vertrauen und öffnen</translation>
    </message>
    <message>
        <source>Trust this model?</source>
        <translation>Diesem Modell vertrauen?</translation>
    </message>
    <message>
        <source>Trusted models</source>
        <translation>Vertraute Modelle</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <source>Try a format for the selected op calls</source>
        <translation>Ein Format für die ausgewählten Operatoraufrufe versuchen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Try format…</source>
        <translation>Versuch …</translation>
    </message>
    <message>
        <source>Try longer</source>
        <translation>Länger versuchen</translation>
    </message>
    <message>
        <source>Try these two</source>
        <translation>Diese beiden versuchen</translation>
    </message>
    <message>
        <source>Try this change</source>
        <translation>Diese Änderung versuchen</translation>
    </message>
    <message>
        <source>Try this edit</source>
        <translation>Diese Änderung versuchen</translation>
    </message>
    <message>
        <source>Try this format</source>
        <translation>Dieses Format versuchen</translation>
    </message>
    <message>
        <source>Try this format for %1 op calls</source>
        <translation>Dieses Format für %1 Operatoraufrufe versuchen</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuch: %1</translation>
    </message>
    <message>
        <source>Type a number, or a power of two such as 2^10.</source>
        <translation>Eine Zahl oder eine Zweierpotenz wie 2^10 eingeben.</translation>
    </message>
    <message>
        <source>Type a power of two such as 2^17, or a positive number.</source>
        <translation>Eine Zweierpotenz wie 2^17 oder eine positive Zahl eingeben.</translation>
    </message>
    <message>
        <source>Type an answer first.</source>
        <translation>Zuerst eine Antwort eingeben.</translation>
    </message>
    <message>
        <source>Type the number of exponent and of fraction bits, such as e6m9, or float4_e2m1fn, float6_e2m3fn or float6_e3m2fn.</source>
        <translation>Die Anzahl der Exponenten- und der Mantissenbits eingeben, etwa e6m9, oder float4_e2m1fn, float6_e2m3fn oder float6_e3m2fn.</translation>
    </message>
    <message>
        <source>ulp</source>
        <translation>ulp</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>Unverändert</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo and re&amp;wind</source>
        <translation>Rückgängig und &amp;zurückspulen</translation>
    </message>
    <message>
        <source>Undo and rewind</source>
        <translation>Rückgängig und zurückspulen</translation>
    </message>
    <message>
        <source>Undo and rewind to %1</source>
        <translation>Rückgängig und auf %1 zurückspulen</translation>
    </message>
    <message>
        <source>Undoes the newest edit and all training after it</source>
        <translation>Macht die neueste Änderung und alles Training danach rückgängig</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>rückgängig gemacht</translation>
    </message>
    <message>
        <source>undone after the end</source>
        <translation>nach dem Ende rückgängig gemacht</translation>
    </message>
    <message>
        <source>undone at step %1</source>
        <translation>rückgängig gemacht bei Schritt %1</translation>
    </message>
    <message>
        <source>undone by the rewind to step %1</source>
        <translation>rückgängig gemacht durch Zurückspulen auf Schritt %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Unknown. Its tensors were observed after rounding, or without a histogram.</source>
        <translation>Unbekannt. Seine Tensoren wurden nach der Rundung oder ohne Histogramm beobachtet.</translation>
    </message>
    <message>
        <source>Unknown: see its kernels</source>
        <translation>Unbekannt: siehe seine Kernel</translation>
    </message>
    <message>
        <source>Unknown: the float32 run of step %1 also used other formats</source>
        <translation>Unbekannt: der float32-Lauf von Schritt %1 verwendete auch andere Formate</translation>
    </message>
    <message>
        <source>Unknown: the loss is not finite</source>
        <translation>Unbekannt: der Loss ist nicht endlich</translation>
    </message>
    <message>
        <source>Unpacking %1: %2 of %3</source>
        <translation>%1 wird entpackt: %2 von %3</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>up</source>
        <translation>aufwärts</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>Up, Down; H, or a click on the legend</source>
        <translation>Auf, Ab; H oder ein Klick auf die Legende</translation>
    </message>
    <message>
        <source>Update ÷ weight</source>
        <translation>Aktualisierung ÷ Gewicht</translation>
    </message>
    <message>
        <source>update ÷ weight %1, %2 of %3 lost</source>
        <translation>Aktualisierung ÷ Gewicht %1, %2 von %3 verloren</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>Aktualisiert</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Aktualisierungen</translation>
    </message>
    <message>
        <source>updates lost</source>
        <translation>Aktualisierungen verloren</translation>
    </message>
    <message>
        <source>Use the batch and the loss scale of the failed step. Op calls shows the doublings left for each op call.</source>
        <translation>Den Batch und die Loss-Skalierung des fehlgeschlagenen Schritts verwenden. Operatoraufrufe zeigt die übrigen Verdopplungen jedes Operatoraufrufs.</translation>
    </message>
    <message>
        <source>Use the engine of another computer: HOST[:COMMAND], started over ssh. COMMAND is &quot;binade-engine serve&quot; by default. Names of models and data are names of files on HOST. A text with a space or a slash before its first colon is a whole command line instead, whose input and output are the engine&apos;s.</source>
        <translation>Die Engine eines anderen Rechners verwenden: HOST[:COMMAND], über ssh gestartet. COMMAND ist ohne Angabe „binade-engine serve“. Namen von Modellen und Daten sind Namen von Dateien auf HOST. Ein Text mit einem Leerzeichen oder Schrägstrich vor seinem ersten Doppelpunkt ist stattdessen eine ganze Befehlszeile, deren Ein- und Ausgabe die der Engine sind.</translation>
    </message>
    <message>
        <source>use the whole batch</source>
        <translation>benutzen den ganzen Batch</translation>
    </message>
    <message>
        <source>use their own examples</source>
        <translation>benutzen die eigenen Beispiele</translation>
    </message>
    <message>
        <source>Use this computer&apos;s engine</source>
        <translation>Die Engine dieses Rechners verwenden</translation>
    </message>
    <message>
        <source>Use this policy</source>
        <translation>Diese Richtlinie verwenden</translation>
    </message>
    <message>
        <source>Uses a new order in each epoch, determined by the seed.</source>
        <translation>Verwendet in jeder Epoche eine neue Reihenfolge, durch den Startwert bestimmt.</translation>
    </message>
    <message>
        <source>Uses one kernel for all tensors, which also unscales the gradients. The step does not wait for the host.</source>
        <translation>Verwendet einen Kernel für alle Tensoren, der auch die Gradienten zurückskaliert. Der Schritt wartet nicht auf den Hauptprozessor.</translation>
    </message>
    <message>
        <source>Uses the largest mean of squares so far.</source>
        <translation>Verwendet das bisher größte Mittel der Quadrate.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Value %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>value %1</source>
        <translation>Wert %1</translation>
    </message>
    <message>
        <source>value %1, at its magnitude</source>
        <translation>Wert %1, bei seinem Betrag</translation>
    </message>
    <message>
        <source>Value ranges on random batches are not those of your data.</source>
        <translation>Wertebereiche auf zufälligen Batches sind nicht die der eigenen Daten.</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Values above %1, the largest number of %2, become infinite. A number divided by infinity is 0, and a clamped infinity is the limit of the clamp. So the infinity disappears before the loss, no step is skipped, and the run continues with values that float32 would not have.</source>
        <translation>Werte über %1, der größten Zahl von %2, werden unendlich. Eine Zahl geteilt durch unendlich ist 0, und ein begrenztes Unendlich ist die Grenze. Das Unendlich verschwindet also vor dem Loss, kein Schritt wird übersprungen, und der Lauf geht mit Werten weiter, die float32 nicht hätte.</translation>
    </message>
    <message>
        <source>Values as stored in the format</source>
        <translation>Werte, wie im Format gespeichert</translation>
    </message>
    <message>
        <source>Values by binade</source>
        <translation>Werte nach Binaden</translation>
    </message>
    <message>
        <source>Values divided by the loss scale</source>
        <translation>Werte, geteilt durch die Loss-Skalierung</translation>
    </message>
    <message>
        <source>values lost</source>
        <translation>verlorene Werte</translation>
    </message>
    <message>
        <source>Values lost to underflow, updates lost to rounding and op calls with zero gradients appear here, each with a next step.</source>
        <translation>Durch Unterlauf verlorene Werte, durch Rundung verlorene Aktualisierungen und Operatoraufrufe mit Gradient null erscheinen hier, je mit einem nächsten Schritt.</translation>
    </message>
    <message>
        <source>values of %1 saturate</source>
        <translation>Werte von %1 sättigen</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Verdict and figures rest on %1 of %2 steps and %3 of %4 repetitions: those that all three trainings have, with a finite loss.</source>
        <translation>Urteil und Zahlen beruhen auf %1 von %2 Schritten und %3 von %4 Wiederholungen: denen, die alle drei Trainings haben, mit endlichem Loss.</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>View &gt; Layouts restores it in any arrangement.</source>
        <translation>Ansicht &gt; Anordnungen stellt sie in jeder Anordnung wieder her.</translation>
    </message>
    <message>
        <source>Wait of a step for the gradients of other ranks: the mean</source>
        <translation>Warten eines Schritts auf die Gradienten anderer Ränge: der Mittelwert</translation>
    </message>
    <message>
        <source>Wait until it has ended, or cancel it.</source>
        <translation>Warten, bis sie beendet ist, oder sie abbrechen.</translation>
    </message>
    <message>
        <source>Wait until the run has started, stop it, and open the file again.</source>
        <translation>Warten, bis der Lauf gestartet ist, ihn anhalten und die Datei erneut öffnen.</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>Waits for memory</source>
        <translation>Wartet auf den Speicher</translation>
    </message>
    <message>
        <source>waits for the next run</source>
        <translation>wartet auf den nächsten Lauf</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>WATCHER</source>
        <translation>ZUSCHAUER</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Gewichtsabnahme</translation>
    </message>
    <message>
        <source>weight&apos;s gradient</source>
        <translation>Gradient des Gewichts</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Weights (*.safetensors *.pt *.pth *.bin *.ckpt);;All files (*)</source>
        <translation>Gewichte (*.safetensors *.pt *.pth *.bin *.ckpt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Weights, optimizer, loss scale and data position become those of the checkpoint.</source>
        <translation>Gewichte, Optimierer, Loss-Skalierung und Datenposition werden die des Checkpoints.</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>What differs from %1 at the shown step: formats from there to here, and figures of this run minus those of the other</source>
        <translation>Was beim gezeigten Schritt anders ist als in %1: Formate von dort nach hier, und Zahlen dieses Laufs minus die des anderen</translation>
    </message>
    <message>
        <source>What if the scale were</source>
        <translation>Bei Skalierung</translation>
    </message>
    <message>
        <source>What if the values were ×</source>
        <translation>Was, wenn die Werte wären ×</translation>
    </message>
    <message>
        <source>What limits tensor cores</source>
        <translation>Was Tensorkerne begrenzt</translation>
    </message>
    <message>
        <source>What the base list alone gives these op calls</source>
        <translation>Was die Basisliste allein diesen Operatoraufrufen gibt</translation>
    </message>
    <message>
        <source>What the policy gives them</source>
        <translation>Was die Richtlinie ihnen gibt</translation>
    </message>
    <message>
        <source>What the products and casts of a step take at least, by the quoted figures of this GPU</source>
        <translation>Was die Produkte und Casts eines Schritts mindestens brauchen, nach den Angaben zu dieser GPU</translation>
    </message>
    <message>
        <source>What was done</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>What was edited: the run with its policy and loss scale, or the description of the next run</source>
        <translation>Was geändert wurde: der Lauf mit Richtlinie und Loss-Skalierung oder die Beschreibung des nächsten Laufs</translation>
    </message>
    <message>
        <source>What was tried</source>
        <translation>Was versucht wurde</translation>
    </message>
    <message>
        <source>What would a format of the selected op calls save?</source>
        <translation>Was würde ein Format der ausgewählten Operatoraufrufe sparen?</translation>
    </message>
    <message>
        <source>What would have fixed it</source>
        <translation>Was es verhindert hätte</translation>
    </message>
    <message>
        <source>What would this save?</source>
        <translation>Was würde das sparen?</translation>
    </message>
    <message>
        <source>What would this save? Shows casts, bytes and time with another format, without editing the policy</source>
        <translation>Was würde das sparen? Zeigt Casts, Bytes und Zeit mit einem anderen Format, ohne die Richtlinie zu ändern</translation>
    </message>
    <message>
        <source>What-if</source>
        <translation>What-if</translation>
    </message>
    <message>
        <source>What-if factor of the values, as a power of two</source>
        <translation>What-if-Faktor der Werte, als Zweierpotenz</translation>
    </message>
    <message>
        <source>What-if loss scale, as a power of two</source>
        <translation>What-if-Loss-Skalierung, als Zweierpotenz</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Where the figures come from</source>
        <translation>Woher die Zahlen stammen</translation>
    </message>
    <message>
        <source>Where the policies differ</source>
        <translation>Wo sich die Richtlinien unterscheiden</translation>
    </message>
    <message>
        <source>Whether a rank delays the others is not known yet: %1 of %2 steps.</source>
        <translation>Ob ein Rang die anderen aufhält, ist noch nicht bekannt: %1 von %2 Schritten.</translation>
    </message>
    <message>
        <source>Which rank delays the others</source>
        <translation>Welcher Rang die anderen aufhält</translation>
    </message>
    <message>
        <source>While a run file is read: cancel</source>
        <translation>Während eine Laufdatei gelesen wird: abbrechen</translation>
    </message>
    <message>
        <source>whole blocks of %1 become 0</source>
        <translation>ganze Blöcke von %1 werden 0</translation>
    </message>
    <message>
        <source>whole numbers in %1 of %2 change</source>
        <translation>ganze Zahlen in %1 von %2 ändern sich</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why is this an error?</source>
        <translation>Warum ist das ein Fehler?</translation>
    </message>
    <message>
        <source>Why this format?</source>
        <translation>Warum dieses Format?</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>with %1</source>
        <translation>mit %1</translation>
    </message>
    <message>
        <source>With observation, training takes %1 times as long (95 %: %2 to %3).
%4 of the steps are observed; an observed step takes %5 times as long as its neighbour.
Measured on %6 pairs of neighbouring steps.</source>
        <translation>Mit Beobachtung dauert das Training %1-mal so lange (95 %: %2 bis %3).
%4 der Schritte werden beobachtet; ein beobachteter Schritt dauert %5-mal so lange wie sein Nachbar.
An %6 Paaren benachbarter Schritte gemessen.</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>innerhalb des Rauschens</translation>
    </message>
    <message>
        <source>without %1</source>
        <translation>ohne %1</translation>
    </message>
    <message>
        <source>Without edits</source>
        <translation>Ohne Änderungen</translation>
    </message>
    <message>
        <source>Without saving they are lost.</source>
        <translation>Ohne Speichern gehen sie verloren.</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>worse from step %1</source>
        <translation>schlechter ab Schritt %1</translation>
    </message>
    <message>
        <source>Write a note on step %1…</source>
        <translation>Notiz zu Schritt %1 schreiben …</translation>
    </message>
    <message>
        <source>Write a note…</source>
        <translation>Notiz schreiben …</translation>
    </message>
    <message>
        <source>Write your own format as e&lt;exponent bits, 2 to 8&gt;m&lt;mantissa bits, 1 to 23&gt;, for example e4m3.</source>
        <translation>Ein eigenes Format als e&lt;Exponentenbits, 2 bis 8&gt;m&lt;Mantissenbits, 1 bis 23&gt; schreiben, zum Beispiel e4m3.</translation>
    </message>
    <message>
        <source>Writes a note on the step at the cursor, or changes it (N in a chart)</source>
        <translation>Schreibt eine Notiz zum Schritt am Cursor oder ändert sie (N in einem Diagramm)</translation>
    </message>
    <message>
        <source>Writes the policy for another program</source>
        <translation>Schreibt die Richtlinie für ein anderes Programm</translation>
    </message>
    <message>
        <source>Writes the policy with its evidence to a file</source>
        <translation>Schreibt die Richtlinie mit ihren Belegen in eine Datei</translation>
    </message>
    <message>
        <source>Writes the policy, a report, the run or a chart&apos;s data to a file</source>
        <translation>Schreibt die Richtlinie, einen Bericht, den Lauf oder die Daten eines Diagramms in eine Datei</translation>
    </message>
    <message>
        <source>Writing the casts and comparing the file with the engine</source>
        <translation>Die Casts werden geschrieben und die Datei mit der Engine verglichen</translation>
    </message>
    <message>
        <source>Writing the event</source>
        <translation>Das Ereignis wird geschrieben</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>Der Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Writing the report: %1 steps read</source>
        <translation>Der Bericht wird geschrieben: %1 Schritte gelesen</translation>
    </message>
    <message>
        <source>Writing the text and reading it back</source>
        <translation>Der Text wird geschrieben und zurückgelesen</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Yes, %1 faults. %2</source>
        <translation>Ja, %1 Fehler. %2</translation>
    </message>
    <message>
        <source>Yes, %1 faults: %2</source>
        <translation>Ja, %1 Fehler: %2</translation>
    </message>
    <message>
        <source>Yes: %1</source>
        <translation>Ja: %1</translation>
    </message>
    <message>
        <source>Yes: %1 adds an error of %2</source>
        <translation>Ja: %1 fügt einen Fehler von %2 hinzu</translation>
    </message>
    <message>
        <source>Yes: %1 at step %2</source>
        <translation>Ja: %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>Yes: %1 at step %2, %3 σ above the mean</source>
        <translation>Ja: %1 bei Schritt %2, %3 σ über dem Mittel</translation>
    </message>
    <message>
        <source>Yes: %1 doublings lost in %2 steps, now %3</source>
        <translation>Ja: %1 Verdopplungen in %2 Schritten verloren, jetzt %3</translation>
    </message>
    <message>
        <source>Yes: %1 has no finite value; loss and gradients have</source>
        <translation>Ja: %1 hat keinen endlichen Wert; Loss und Gradienten schon</translation>
    </message>
    <message>
        <source>Yes: %1 loses %2 of a gradient&apos;s norm</source>
        <translation>Ja: %1 verliert %2 der Norm eines Gradienten</translation>
    </message>
    <message>
        <source>Yes: %1 loses %2 of a tensor&apos;s norm</source>
        <translation>Ja: %1 verliert %2 der Norm eines Tensors</translation>
    </message>
    <message>
        <source>Yes: %1 overflows in %2 of %3 observed steps; loss and gradients stay finite</source>
        <translation>Ja: %1 läuft in %2 von %3 beobachteten Schritten über; Loss und Gradienten bleiben endlich</translation>
    </message>
    <message>
        <source>Yes: %1, in %2 of %3 steps</source>
        <translation>Ja: %1, in %2 von %3 Schritten</translation>
    </message>
    <message>
        <source>Yes: fallen to %1, below 1</source>
        <translation>Ja: auf %1 gefallen, unter 1</translation>
    </message>
    <message>
        <source>Yes: in %1 steps, last at step %2</source>
        <translation>Ja: in %1 Schritten, zuletzt bei Schritt %2</translation>
    </message>
    <message>
        <source>Yes: not finite at step %1</source>
        <translation>Ja: nicht endlich bei Schritt %1</translation>
    </message>
    <message>
        <source>Yes: nothing finite in %1</source>
        <translation>Ja: nichts Endliches in %1</translation>
    </message>
    <message>
        <source>Yes: the error of %1 grows to %2</source>
        <translation>Ja: der Fehler von %1 wächst auf %2</translation>
    </message>
    <message>
        <source>yesterday, %1</source>
        <translation>gestern, %1</translation>
    </message>
    <message>
        <source>You edited the policy while the connection was lost.</source>
        <translation>Sie haben die Richtlinie geändert, während die Verbindung verloren war.</translation>
    </message>
    <message>
        <source>You have run this experiment before.</source>
        <translation>Dieses Experiment ist schon einmal gelaufen.</translation>
    </message>
    <message>
        <source>your prediction</source>
        <translation>eigene Vorhersage</translation>
    </message>
    <message>
        <source>your prediction, and right</source>
        <translation>eigene Vorhersage, und richtig</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>null</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>Nullen</translation>
    </message>
    <message>
        <source>zeros %1</source>
        <translation>Nullen %1</translation>
    </message>
    <message>
        <source>±0 B</source>
        <translation>±0 B</translation>
    </message>
    <message>
        <source>× %1</source>
        <translation>× %1</translation>
    </message>
    <message>
        <source>÷ %1</source>
        <translation>÷ %1</translation>
    </message>
    <message>
        <source>“%1” cannot be read.</source>
        <translation>„%1“ lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>“%1” is no number format.</source>
        <translation>„%1“ ist kein Zahlenformat.</translation>
    </message>
    <message>
        <source>“%1” is not a loss scale.</source>
        <translation>„%1“ ist keine Loss-Skalierung.</translation>
    </message>
    <message>
        <source>“%1” is not a number.</source>
        <translation>„%1“ ist keine Zahl.</translation>
    </message>
    <message>
        <source>“%1” is not possible now.</source>
        <translation>„%1“ ist jetzt nicht möglich.</translation>
    </message>
    <message>
        <source>… and more</source>
        <translation>… und mehr</translation>
    </message>
    <message>
        <source>≈ tensor cores: estimated from counters of the device and times of kernels</source>
        <translation>≈ Tensor-Kerne: geschätzt aus Zählern des Geräts und Zeiten der Kernel</translation>
    </message>
    <message>
        <source>≤ 1 %</source>
        <translation>≤ 1 %</translation>
    </message>
    <message>
        <source>≥ %1 → ≥ %2, of these products and all casts, by the roofline model</source>
        <translation>≥ %1 → ≥ %2, dieser Produkte und aller Casts, nach dem Roofline-Modell</translation>
    </message>
</context>
</TS>
