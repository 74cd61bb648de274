// The two tones that come with the alerts of time.

const TONES = [660, 880];
const TONE_SECONDS = 0.22;
const LOUDNESS = 0.15;

let context: AudioContext | undefined;

/** Some browsers let a page sound only after it was touched: call it with each touch and key until it works. Gives what ends it. */
export function allowSound(): () => void {
  const events = ["pointerdown", "keydown"] as const;
  const end = () => events.forEach((name) => removeEventListener(name, wake, true));
  function wake(): void {
    try {
      context ??= new AudioContext();
      void context.resume().then(end, () => {});
    } catch {
      end();
    }
  }
  events.forEach((name) => addEventListener(name, wake, true));
  return end;
}

/** Silent where the browser has no sound or does not allow it: what is seen and read is the same. */
export function beep(): void {
  try {
    context ??= new AudioContext();
    void context.resume();
    TONES.forEach((tone, index) => play(context as AudioContext, tone, index * TONE_SECONDS));
  } catch {
    context = undefined;
  }
}

function play(context: AudioContext, tone: number, delay: number): void {
  const [oscillator, loudness] = [context.createOscillator(), context.createGain()];
  const begin = context.currentTime + delay;
  oscillator.frequency.value = tone;
  loudness.gain.setValueAtTime(LOUDNESS, begin);
  loudness.gain.exponentialRampToValueAtTime(0.001, begin + TONE_SECONDS);
  oscillator.connect(loudness).connect(context.destination);
  oscillator.start(begin);
  oscillator.stop(begin + TONE_SECONDS);
}
