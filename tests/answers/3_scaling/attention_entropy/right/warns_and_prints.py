def attention_entropy(gewichte):
    print("Entropie für", len(gewichte), "Fragen")
    ergebnis = np.empty(len(gewichte))
    for i, zeile in enumerate(gewichte):
        positiv = zeile[zeile > 0].astype(float)
        ergebnis[i] = -np.dot(positiv, np.log(positiv))
    return ergebnis
